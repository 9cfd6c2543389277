import { type DescribedTable, type TableShapes, tableShapeOf } from "../../../local/store/table-shape.ts";
import type { StoreInput, StoreOperation, StoreRequest } from "../../../local/store/wire.ts";

/** Requests on both sides of a rule. */
export interface RuleSamples {
  /** Requests that break it, by DynamoDB's answer to them. */
  readonly breaks: Readonly<Record<string, StoreRequest | readonly StoreRequest[]>>;
  /** Legal requests that keep the rule as narrowly as possible. */
  readonly keeps: readonly StoreRequest[];
}

const key = (name: string, role: "HASH" | "RANGE") => ({ AttributeName: name, KeyType: role });
const typed = (name: string, type: "S" | "N" | "B") => ({ AttributeName: name, AttributeType: type });

/** `CreateTable` requests for the tables of the samples. */
export const sampleTables: readonly StoreInput[] = [
  {
    TableName: "plain",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [key("pk", "HASH")],
    AttributeDefinitions: [typed("pk", "S")],
  },
  {
    TableName: "wide",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [key("pk", "HASH"), key("sk", "RANGE")],
    AttributeDefinitions: [typed("pk", "S"), typed("sk", "S"), typed("g", "S"), typed("h", "S")],
    GlobalSecondaryIndexes: [
      {
        IndexName: "by-all",
        KeySchema: [key("g", "HASH"), key("h", "RANGE")],
        Projection: { ProjectionType: "ALL" },
      },
      { IndexName: "by-keys", KeySchema: [key("g", "HASH")], Projection: { ProjectionType: "KEYS_ONLY" } },
      {
        IndexName: "by-some",
        KeySchema: [key("h", "HASH"), key("g", "RANGE")],
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["note"] },
      },
    ],
  },
  {
    TableName: "binary",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [key("pk", "HASH"), key("sk", "RANGE")],
    AttributeDefinitions: [typed("pk", "B"), typed("sk", "N"), typed("m", "B")],
    GlobalSecondaryIndexes: [
      { IndexName: "by-mark", KeySchema: [key("m", "HASH")], Projection: { ProjectionType: "ALL" } },
    ],
  },
];

const shapes = sampleTables.map((table) => tableShapeOf(table as unknown as DescribedTable));

/** The shapes of the samples' tables. */
export const sampleShapes: TableShapes = (tableName) => shapes.find(({ name }) => name === tableName);

/** A request to the store. */
export const call = (operation: StoreOperation, input: StoreInput): StoreRequest => ({ operation, input });
/** A text as the wire has it. */
export const s = (text: string) => ({ S: text });
/** A number as the wire has it. */
export const n = (text: string) => ({ N: text });
/** A binary value of so many bytes. */
export const b = (bytes: number) => ({ B: Buffer.alloc(bytes, 1).toString("base64") });
/** A text of so many bytes. */
export const letters = (count: number) => "a".repeat(count);

/** The key of an item of the table `plain`. */
export const plainKey = { pk: s("k") };
/** An item of the table `plain` that has to exist. */
export const partsItem = { pk: s("parts"), parts: { L: [{ L: [] }, { L: [] }] } };
/** The key of an item of the table `wide`. */
export const wideKey = { pk: s("k"), sk: s("s") };

/** A read of an item of `plain`, with other members in place of its own. */
export const get = (members: StoreInput) =>
  call("GetItem", { TableName: "plain", Key: plainKey, ...members });
/** A read of some paths of an item of `plain`, and the names that they refer to. */
export const project = (expression: string, names?: StoreInput) =>
  get({ ProjectionExpression: expression, ExpressionAttributeNames: names });
/** A put into `plain`. */
export const put = (attributes: StoreInput = {}, members: StoreInput = {}) =>
  call("PutItem", { TableName: "plain", Item: { ...plainKey, ...attributes }, ...members });
/** A put into `wide`. */
export const putWide = (attributes: StoreInput = {}, members: StoreInput = {}) =>
  call("PutItem", { TableName: "wide", Item: { ...wideKey, ...attributes }, ...members });
/** A delete from `plain`. */
export const remove = (members: StoreInput) =>
  call("DeleteItem", { TableName: "plain", Key: plainKey, ...members });
/** An update of an item of `plain`, and the values that it refers to. */
export const update = (expression: string | undefined, values?: StoreInput, members: StoreInput = {}) =>
  call("UpdateItem", {
    TableName: "plain",
    Key: plainKey,
    UpdateExpression: expression,
    ExpressionAttributeValues: values,
    ...members,
  });
/** An update of an item of `wide`. */
export const updateWide = (expression: string, values?: StoreInput, members: StoreInput = {}) =>
  update(expression, values, { TableName: "wide", Key: wideKey, ...members });
/** A scan of `plain`. */
export const scan = (members: StoreInput) => call("Scan", { TableName: "plain", ...members });
/** A scan of `wide`. */
export const scanWide = (members: StoreInput) => call("Scan", { TableName: "wide", ...members });
/** A batch of reads. */
export const batchGet = (tables: StoreInput) => call("BatchGetItem", { RequestItems: tables });
/** A batch of writes. */
export const batchWrite = (tables: StoreInput) => call("BatchWriteItem", { RequestItems: tables });

/** A query by a condition of its own, with the values that the condition and a filter refer to: `:k` alone unless given. */
export const query = (condition: string, values: StoreInput = { ":k": s("k") }, members: StoreInput = {}) =>
  call("Query", {
    TableName: "wide",
    KeyConditionExpression: condition,
    ExpressionAttributeValues: values,
    ...members,
  });
/** A query of one partition of `wide`. */
export const read = (members: StoreInput, values: StoreInput = {}) =>
  query("pk = :k", { ":k": s("k"), ...values }, members);
/** A query of one partition of an index of `wide`. */
export const readIndex = (name: string, members: StoreInput, values: StoreInput = {}) =>
  query(
    name === "by-some" ? "h = :k" : "g = :k",
    { ":k": s("k"), ...values },
    { IndexName: name, ...members },
  );

/** A scan with a filter, and the values that it refers to. */
export const filter = (expression: string, values?: StoreInput) =>
  scan({ FilterExpression: expression, ExpressionAttributeValues: values });

/** A list of so many entries. */
export const many = <Entry>(count: number, make: (index: number) => Entry): readonly Entry[] =>
  Array.from({ length: count }, (_, index) => make(index));
/** So many values, by their placeholders. */
export const valuesOf = (count: number) =>
  Object.fromEntries(many(count, (index) => [`:v${index}`, n(`${index}`)]));
/** A value of so many levels. */
export const nested = (levels: number): object => (levels === 1 ? s("x") : { M: { a: nested(levels - 1) } });

/** The beginning of many messages of DynamoDB's. */
export const INVALID = "One or more parameter values were invalid: ";
/** The beginning of messages about empty values. */
export const NOT_VALID = "One or more parameter values are not valid. ";
/** The message about a member that breaks a constraint of the service's model. */
export const detected = (value: string, member: string, demanded: string) =>
  `1 validation error detected: Value ${value} at '${member}' failed to satisfy constraint: ${demanded}`;
/** The constraint on names of tables and indexes. */
export const pattern = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
/** The message about a member that does not have one of its allowed values. */
export const enumerated = (member: string, values: string) =>
  detected("'WRONG'", member, `Member must satisfy enum value set: [${values}]`);
