import { ownMember } from "../../../lib/own-member.ts";
import { firstFault } from "../first-fault.ts";
import { isGiven } from "../members.ts";
import { STORE_OPERATIONS, type StoreOperation } from "../wire.ts";
import type { RequestAnalysis } from "./request-analysis.ts";
import {
  BOTH,
  constraint,
  DYNOXIDE,
  ITEM_OPERATIONS,
  NEITHER,
  pageOf,
  READ_OPERATIONS,
  type Rule,
  rulesWith,
  WRITE_OPERATIONS,
} from "./rule.ts";

/** Members that have one of some words: the member, its words, the operations that take it, and who keeps the rule. */
const ENUMERATIONS: Readonly<
  Record<
    string,
    readonly [member: string, values: string, operations: readonly StoreOperation[], keptBy?: Rule["keptBy"]]
  >
> = {
  "select-values": [
    "Select",
    "SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES",
    READ_OPERATIONS,
  ],
  "capacity-values": ["ReturnConsumedCapacity", "INDEXES, TOTAL, NONE", ITEM_OPERATIONS],
  "metrics-values": ["ReturnItemCollectionMetrics", "SIZE, NONE", ["BatchWriteItem", ...WRITE_OPERATIONS]],
  "return-values": ["ReturnValues", "ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW", WRITE_OPERATIONS],
  "failure-values": ["ReturnValuesOnConditionCheckFailure", "ALL_OLD, NONE", WRITE_OPERATIONS, NEITHER],
};

const enumerationRules: readonly Rule[] = Object.entries(ENUMERATIONS).map(
  ([name, [member, values, operations, keptBy = BOTH]]) => ({
    name,
    demands: `\`${member}\` is one of ${values}.`,
    source: pageOf.api(member),
    operations,
    keptBy,
    check: ({ input }) => {
      const value = ownMember(input, member);
      if (typeof value !== "string" || values.split(", ").includes(value)) return undefined;
      return constraint(`'${value}'`, lowerFirst(member), `Member must satisfy enum value set: [${values}]`);
    },
  }),
);

/** Operations about one table. */
const ONE_TABLE = STORE_OPERATIONS.filter((name) => !name.startsWith("Batch") && name !== "ListTables");

/** Rules for single members of a request, apart from expressions, values and keys. */
export const parameterRules: readonly Rule[] = [
  ...rulesWith({ operations: ONE_TABLE })({
    "table-name-present": {
      demands: "A request about one table has its `TableName`.",
      source: pageOf.api("all operations, TableName"),
      check: ({ input }) => missing(input, "TableName"),
    },
    "table-name-form": {
      demands:
        "A table's name has 1 to 255 letters, digits, underscores, hyphens and dots; a new table's has 3 or more.",
      source: pageOf.guide("Constraints, Naming rules"),
      check: ({ operation, input }) => {
        const { TableName: name } = input;
        // An ARN may take the place of a name, and has a form of its own.
        if (typeof name !== "string" || name.startsWith("arn:")) return undefined;
        return nameFault(name, "tableName", operation === "CreateTable" ? 3 : 1);
      },
    },
    "index-name-form": {
      demands: "An index's name has 3 to 255 letters, digits, underscores, hyphens and dots.",
      source: pageOf.guide("Constraints, Naming rules"),
      operations: READ_OPERATIONS,
      check: ({ input: { IndexName: name } }) =>
        typeof name === "string" ? nameFault(name, "indexName", 3) : undefined,
    },
    "key-present": {
      demands: "A request for one item has its `Key`.",
      source: pageOf.api("DeleteItem, GetItem, UpdateItem, Key"),
      operations: ["DeleteItem", "GetItem", "UpdateItem"],
      check: ({ input }) => missing(input, "Key"),
    },
    "item-present": {
      demands: "A put has its `Item`.",
      source: pageOf.api("PutItem, Item"),
      operations: ["PutItem"],
      check: ({ input }) => missing(input, "Item"),
    },
  }),
  ...enumerationRules,
  ...rulesWith({ operations: READ_OPERATIONS })({
    "return-values-of-put": {
      demands: "A put returns the item as it was, or nothing.",
      source: pageOf.api("PutItem, ReturnValues"),
      operations: ["PutItem"],
      check: oldValuesOnly,
    },
    "return-values-of-delete": {
      demands: "A delete returns the item as it was, or nothing.",
      source: pageOf.api("DeleteItem, ReturnValues"),
      operations: ["DeleteItem"],
      keptBy: DYNOXIDE,
      check: oldValuesOnly,
    },
    "limit-at-least-one": {
      demands: "`Limit` is 1 or more.",
      source: pageOf.api("Query and Scan, Limit"),
      check: ({ operation, input: { Limit: limit } }) => {
        if (typeof limit !== "number" || limit >= 1) return undefined;
        const demanded = "Member must have value greater than or equal to 1";
        // DynamoDB changed the message of Query in 2026, but not that of Scan.
        if (operation === "Scan") return constraint(`'${limit}'`, "limit", demanded);
        return `1 validation error detected: Value at 'Limit' failed to satisfy constraint: ${demanded}`;
      },
    },
    "segment-numbers": {
      demands: "`TotalSegments` is 1 or more, `Segment` 0 or more.",
      source: pageOf.api("Scan, Segment and TotalSegments"),
      operations: ["Scan"],
      check: ({ input: { Segment: segment, TotalSegments: total } }) =>
        lessFault(total, "totalSegments", 1) ?? lessFault(segment, "segment", 0),
    },
    "segment-limits": {
      demands: "`TotalSegments` is at most 1,000,000, `Segment` at most 999,999.",
      source: pageOf.api("Scan, Segment and TotalSegments"),
      operations: ["Scan"],
      keptBy: DYNOXIDE,
      check: ({ input: { Segment: segment, TotalSegments: total } }) =>
        moreFault(total, "totalSegments", 1_000_000) ?? moreFault(segment, "segment", 999_999),
    },
    "segments-together": {
      demands: "`Segment` and `TotalSegments` come together.",
      source: pageOf.api("Scan, Segment and TotalSegments"),
      operations: ["Scan"],
      check: ({ input: { Segment: segment, TotalSegments: total } }) => {
        if (isGiven(segment) === isGiven(total)) return undefined;
        return isGiven(segment)
          ? "The TotalSegments parameter is required but was not present in the request when Segment parameter is present"
          : "The Segment parameter is required but was not present in the request when parameter TotalSegments is present";
      },
    },
    "segment-in-range": {
      demands: "`Segment` is less than `TotalSegments`.",
      source: pageOf.api("Scan, Segment"),
      operations: ["Scan"],
      check: ({ input: { Segment: segment, TotalSegments: total } }) => {
        if (typeof segment !== "number" || typeof total !== "number" || segment < total) return undefined;
        return (
          "The Segment parameter is zero-based and must be less than parameter TotalSegments: " +
          `Segment: ${segment} is not less than TotalSegments: ${total}`
        );
      },
    },
    "select-excludes-projection": {
      demands: "With a `ProjectionExpression`, `Select` is SPECIFIC_ATTRIBUTES or absent.",
      source: pageOf.api("Query and Scan, Select"),
      keptBy: DYNOXIDE,
      check: ({ input: { Select: select, ProjectionExpression: projection } }) => {
        if (typeof projection !== "string" || typeof select !== "string") return undefined;
        if (select === "SPECIFIC_ATTRIBUTES") return undefined;
        const wanted = select === "COUNT" ? "only the Count" : select;
        return `Cannot specify the ProjectionExpression when choosing to get ${wanted}`;
      },
    },
    "select-specific-needs-projection": {
      demands: "`Select` SPECIFIC_ATTRIBUTES comes with a list of attributes.",
      source: pageOf.api("Query and Scan, Select"),
      keptBy: DYNOXIDE,
      check: ({ input }) =>
        input.Select === "SPECIFIC_ATTRIBUTES" &&
        !isGiven(input.ProjectionExpression) &&
        !isGiven(input.AttributesToGet)
          ? "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
          : undefined,
    },
    "select-projected-needs-index": {
      demands: "`Select` ALL_PROJECTED_ATTRIBUTES is for reads of an index.",
      source: pageOf.api("Query and Scan, Select"),
      keptBy: DYNOXIDE,
      check: ({ input }) =>
        input.Select === "ALL_PROJECTED_ATTRIBUTES" && !isGiven(input.IndexName)
          ? "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
          : undefined,
    },
  }),
];

const missing = (input: RequestAnalysis["input"], member: string): string | undefined =>
  isGiven(ownMember(input, member))
    ? undefined
    : constraint("null", lowerFirst(member), "Member must not be null");

function nameFault(name: string, member: string, least: number): string | undefined {
  const bounds = [
    [name.length >= least, `Member must have length greater than or equal to ${least}`],
    [name.length <= 255, "Member must have length less than or equal to 255"],
    [/^[a-zA-Z0-9_.-]+$/.test(name), "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"],
  ] as const;
  return firstFault(bounds, ([kept, demanded]) =>
    kept ? undefined : constraint(`'${name}'`, member, demanded),
  );
}

const lessFault = (value: unknown, member: string, least: number): string | undefined =>
  typeof value === "number" && value < least
    ? constraint(`'${value}'`, member, `Member must have value greater than or equal to ${least}`)
    : undefined;

const moreFault = (value: unknown, member: string, most: number): string | undefined =>
  typeof value === "number" && value > most
    ? constraint(`'${value}'`, member, `Member must have value less than or equal to ${most}`)
    : undefined;

function oldValuesOnly({ input: { ReturnValues: wanted } }: RequestAnalysis): string | undefined {
  return typeof wanted === "string" && wanted !== "ALL_OLD" && wanted !== "NONE"
    ? "ReturnValues can only be ALL_OLD or NONE"
    : undefined;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
