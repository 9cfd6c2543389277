import type { PathNode } from "../expression/syntax-tree.ts";
import { firstFault } from "../first-fault.ts";
import { type IndexShape, keyAttributes } from "../table-shape.ts";
import type { ExpressionParameter } from "./expression-scope.ts";
import type { RequestAnalysis } from "./request-analysis.ts";
import { DYNOXIDE, INVALID, NEITHER, pageOf, READ_OPERATIONS, type Rule, rulesWith } from "./rule.ts";

/** Rules for reads of indexes, and for filters. */
export const indexRules: readonly Rule[] = rulesWith({ operations: READ_OPERATIONS })({
  "index-exists": {
    demands: "A read names an index of its table.",
    source: pageOf.api("Query and Scan, IndexName"),
    check: ({ input: { IndexName: name }, table, index }) =>
      typeof name === "string" && table !== undefined && index === undefined
        ? `The table does not have the specified index: ${name}`
        : undefined,
  },
  "no-strong-read-of-an-index": {
    demands: "A read of a global secondary index is eventually consistent.",
    source: pageOf.api("Query and Scan, ConsistentRead"),
    keptBy: DYNOXIDE,
    check: ({ input, index }) =>
      index !== undefined && input.ConsistentRead === true
        ? "Consistent reads are not supported on global secondary indexes"
        : undefined,
  },
  "index-holds-all-attributes": {
    demands: "`Select` ALL_ATTRIBUTES is for tables, and for indexes that project all attributes.",
    source: pageOf.api("Query and Scan, Select"),
    check: ({ input, index }) =>
      index !== undefined && index.projects !== "all" && input.Select === "ALL_ATTRIBUTES"
        ? `${INVALID}Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`
        : undefined,
  },
  "index-holds-projected-attributes": {
    demands: "A projection from an index names only attributes that the index holds.",
    source: pageOf.guide("Using global secondary indexes in DynamoDB, Attribute projections"),
    keptBy: NEITHER,
    check: (request) => {
      const { index } = request;
      const missing = index && notHeld(request, "ProjectionExpression", index);
      return (
        missing && `${INVALID}Global secondary index ${index.name} does not project [${missing.join(", ")}]`
      );
    },
  },
  "index-holds-filtered-attributes": {
    demands: "A filter of a query of an index names only attributes that the index holds.",
    source: `${pageOf.guide("Using global secondary indexes in DynamoDB, Attribute projections")}; a scan's filter finds nothing instead`,
    operations: ["Query"],
    keptBy: NEITHER,
    check: (request) => {
      const { index } = request;
      const missing = index && notHeld(request, "FilterExpression", index);
      return (
        missing &&
        `${INVALID}Secondary index ${index.name} does not project one or more filter attributes: [${missing.join(", ")}]`
      );
    },
  },
  "no-filter-of-keys": {
    demands: "A query does not filter by a key attribute of the table or the index that it reads.",
    source: pageOf.api("Query, FilterExpression"),
    operations: ["Query"],
    check: (request) => {
      const filtered = attributesIn(request, "FilterExpression");
      if (request.readKeys === undefined || filtered.size === 0) return undefined;
      return firstFault(keyAttributes(request.readKeys), ({ name }) =>
        filtered.has(name)
          ? `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`
          : undefined,
      );
    },
  },
});

/** The attributes that an expression names and an index does not hold; undefined when the index holds all of them. */
function notHeld(
  request: RequestAnalysis,
  parameter: ExpressionParameter,
  { projects }: IndexShape,
): readonly string[] | undefined {
  if (projects === "all") return undefined;
  const missing = [...attributesIn(request, parameter)].filter((name) => !projects.has(name));
  return missing.length === 0 ? undefined : missing;
}

function attributesIn({ scope }: RequestAnalysis, parameter: ExpressionParameter): ReadonlySet<string> {
  const nodes = scope.tree(parameter)?.nodes ?? [];
  const paths = nodes.filter((node): node is PathNode => node.kind === "path");
  const names = paths.map((path) => scope.attribute(path));
  return new Set(names.filter((name): name is string => name !== undefined));
}
