import { ownMember } from "../../../lib/own-member.ts";
import { STORE_OPERATIONS, type StoreOperation } from "../wire.ts";
import type { RequestAnalysis } from "./request-analysis.ts";
import { firstFault, type Rule } from "./rule.ts";
import {
  BOTH,
  constraint,
  DYNOXIDE,
  ITEM_OPERATIONS,
  NEITHER,
  pageOf,
  READ_OPERATIONS,
  WRITE_OPERATIONS,
} from "./rule-terms.ts";

const ENUMERATIONS: readonly {
  readonly name: string;
  readonly member: string;
  readonly values: readonly string[];
  readonly operations: readonly StoreOperation[];
  readonly keptBy: Rule["keptBy"];
}[] = [
  {
    name: "select-values",
    member: "Select",
    values: ["SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"],
    operations: READ_OPERATIONS,
    keptBy: BOTH,
  },
  {
    name: "capacity-values",
    member: "ReturnConsumedCapacity",
    values: ["INDEXES", "TOTAL", "NONE"],
    operations: ITEM_OPERATIONS,
    keptBy: BOTH,
  },
  {
    name: "metrics-values",
    member: "ReturnItemCollectionMetrics",
    values: ["SIZE", "NONE"],
    operations: ["BatchWriteItem", ...WRITE_OPERATIONS],
    keptBy: BOTH,
  },
  {
    name: "return-values",
    member: "ReturnValues",
    values: ["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"],
    operations: WRITE_OPERATIONS,
    keptBy: BOTH,
  },
  {
    name: "failure-values",
    member: "ReturnValuesOnConditionCheckFailure",
    values: ["ALL_OLD", "NONE"],
    operations: WRITE_OPERATIONS,
    keptBy: NEITHER,
  },
];

const enumerationRules: readonly Rule[] = ENUMERATIONS.map(
  ({ name, member, values, operations, keptBy }) => ({
    name,
    demands: `\`${member}\` is one of ${values.join(", ")}.`,
    source: pageOf.api(member),
    operations,
    keptBy,
    check: ({ input }) => {
      const value = ownMember(input, member);
      if (typeof value !== "string" || values.includes(value)) return undefined;
      const demanded = `Member must satisfy enum value set: [${values.join(", ")}]`;
      return constraint(`'${value}'`, lowerFirst(member), demanded);
    },
  }),
);

/** Rules for single members of a request, apart from expressions, values and keys. */
export const parameterRules: readonly Rule[] = [
  {
    name: "table-name-present",
    demands: "A request about one table has its `TableName`.",
    source: pageOf.api("all operations, TableName"),
    operations: STORE_OPERATIONS.filter((name) => !name.startsWith("Batch") && name !== "ListTables"),
    keptBy: BOTH,
    check: ({ input }) => missing(input, "TableName"),
  },
  {
    name: "table-name-form",
    demands:
      "A table's name has 1 to 255 letters, digits, underscores, hyphens and dots; a new table's has 3 or more.",
    source: pageOf.guide("Constraints, Naming rules"),
    operations: STORE_OPERATIONS.filter((name) => !name.startsWith("Batch") && name !== "ListTables"),
    keptBy: BOTH,
    check: ({ operation, input }) => {
      const { TableName: name } = input;
      // An ARN may take the place of a name, and has a form of its own.
      if (typeof name !== "string" || name.startsWith("arn:")) return undefined;
      return nameFault(name, "tableName", operation === "CreateTable" ? 3 : 1);
    },
  },
  {
    name: "index-name-form",
    demands: "An index's name has 3 to 255 letters, digits, underscores, hyphens and dots.",
    source: pageOf.guide("Constraints, Naming rules"),
    operations: READ_OPERATIONS,
    keptBy: BOTH,
    check: ({ input: { IndexName: name } }) =>
      typeof name === "string" ? nameFault(name, "indexName", 3) : undefined,
  },
  {
    name: "key-present",
    demands: "A request for one item has its `Key`.",
    source: pageOf.api("DeleteItem, GetItem, UpdateItem, Key"),
    operations: ["DeleteItem", "GetItem", "UpdateItem"],
    keptBy: BOTH,
    check: ({ input }) => missing(input, "Key"),
  },
  {
    name: "item-present",
    demands: "A put has its `Item`.",
    source: pageOf.api("PutItem, Item"),
    operations: ["PutItem"],
    keptBy: BOTH,
    check: ({ input }) => missing(input, "Item"),
  },
  ...enumerationRules,
  {
    name: "return-values-of-put",
    demands: "A put returns the item as it was, or nothing.",
    source: pageOf.api("PutItem, ReturnValues"),
    operations: ["PutItem"],
    keptBy: BOTH,
    check: oldValuesOnly,
  },
  {
    name: "return-values-of-delete",
    demands: "A delete returns the item as it was, or nothing.",
    source: pageOf.api("DeleteItem, ReturnValues"),
    operations: ["DeleteItem"],
    keptBy: DYNOXIDE,
    check: oldValuesOnly,
  },
  {
    name: "limit-at-least-one",
    demands: "`Limit` is 1 or more.",
    source: pageOf.api("Query and Scan, Limit"),
    operations: READ_OPERATIONS,
    keptBy: BOTH,
    check: ({ operation, input: { Limit: limit } }) => {
      if (typeof limit !== "number" || limit >= 1) return undefined;
      const demanded = "Member must have value greater than or equal to 1";
      // DynamoDB changed the message of Query in 2026, but not that of Scan.
      if (operation === "Scan") return constraint(`'${limit}'`, "limit", demanded);
      return `1 validation error detected: Value at 'Limit' failed to satisfy constraint: ${demanded}`;
    },
  },
  {
    name: "segment-numbers",
    demands: "`TotalSegments` is 1 or more, `Segment` 0 or more.",
    source: pageOf.api("Scan, Segment and TotalSegments"),
    operations: ["Scan"],
    keptBy: BOTH,
    check: ({ input: { Segment: segment, TotalSegments: total } }) =>
      lessFault(total, "totalSegments", 1) ?? lessFault(segment, "segment", 0),
  },
  {
    name: "segment-limits",
    demands: "`TotalSegments` is at most 1,000,000, `Segment` at most 999,999.",
    source: pageOf.api("Scan, Segment and TotalSegments"),
    operations: ["Scan"],
    keptBy: DYNOXIDE,
    check: ({ input: { Segment: segment, TotalSegments: total } }) =>
      moreFault(total, "totalSegments", 1_000_000) ?? moreFault(segment, "segment", 999_999),
  },
  {
    name: "segments-together",
    demands: "`Segment` and `TotalSegments` come together.",
    source: pageOf.api("Scan, Segment and TotalSegments"),
    operations: ["Scan"],
    keptBy: BOTH,
    check: ({ input: { Segment: segment, TotalSegments: total } }) => {
      if (given(segment) === given(total)) return undefined;
      return given(segment)
        ? "The TotalSegments parameter is required but was not present in the request when Segment parameter is present"
        : "The Segment parameter is required but was not present in the request when parameter TotalSegments is present";
    },
  },
  {
    name: "segment-in-range",
    demands: "`Segment` is less than `TotalSegments`.",
    source: pageOf.api("Scan, Segment"),
    operations: ["Scan"],
    keptBy: BOTH,
    check: ({ input: { Segment: segment, TotalSegments: total } }) => {
      if (typeof segment !== "number" || typeof total !== "number" || segment < total) return undefined;
      return (
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: " +
        `Segment: ${segment} is not less than TotalSegments: ${total}`
      );
    },
  },
  {
    name: "select-excludes-projection",
    demands: "With a `ProjectionExpression`, `Select` is SPECIFIC_ATTRIBUTES or absent.",
    source: pageOf.api("Query and Scan, Select"),
    operations: READ_OPERATIONS,
    keptBy: DYNOXIDE,
    check: ({ input: { Select: select, ProjectionExpression: projection } }) => {
      if (typeof projection !== "string" || typeof select !== "string") return undefined;
      if (select === "SPECIFIC_ATTRIBUTES") return undefined;
      const wanted = select === "COUNT" ? "only the Count" : select;
      return `Cannot specify the ProjectionExpression when choosing to get ${wanted}`;
    },
  },
  {
    name: "select-specific-needs-projection",
    demands: "`Select` SPECIFIC_ATTRIBUTES comes with a list of attributes.",
    source: pageOf.api("Query and Scan, Select"),
    operations: READ_OPERATIONS,
    keptBy: DYNOXIDE,
    check: ({ input }) =>
      input.Select === "SPECIFIC_ATTRIBUTES" &&
      !given(input.ProjectionExpression) &&
      !given(input.AttributesToGet)
        ? "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
        : undefined,
  },
  {
    name: "select-projected-needs-index",
    demands: "`Select` ALL_PROJECTED_ATTRIBUTES is for reads of an index.",
    source: pageOf.api("Query and Scan, Select"),
    operations: READ_OPERATIONS,
    keptBy: DYNOXIDE,
    check: ({ input }) =>
      input.Select === "ALL_PROJECTED_ATTRIBUTES" && !given(input.IndexName)
        ? "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
        : undefined,
  },
];

const given = (value: unknown): boolean => value !== undefined && value !== null;

const missing = (input: RequestAnalysis["input"], member: string): string | undefined =>
  given(ownMember(input, member))
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
