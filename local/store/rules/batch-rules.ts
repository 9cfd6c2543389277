import { isMembers } from "../../../lib/json-value.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { firstFault } from "../first-fault.ts";
import { isGiven, listOf, membersOf } from "../members.ts";
import { keyAttributes } from "../table-shape.ts";
import { contentOf, dataTypeOf } from "../value/attribute-value.ts";
import { numberOf } from "../value/number.ts";
import type { Placed, RequestAnalysis } from "./request-analysis.ts";
import { constraint, NEITHER, pageOf, type Rule, rulesWith } from "./rule.ts";

const MAX_KEYS = 100;
const MAX_WRITES = 25;
const BATCHES = ["BatchGetItem", "BatchWriteItem"] as const;

/** Rules for batches that need no table's shape. */
export const batchRules: readonly Rule[] = rulesWith({ operations: ["BatchWriteItem"] })({
  "batch-not-empty": {
    demands: "A batch names at least one table.",
    source: pageOf.api("BatchGetItem and BatchWriteItem, RequestItems"),
    operations: BATCHES,
    check: ({ operation, batch }) =>
      batch.length === 0 ? `The requestItems parameter is required for ${operation}` : undefined,
  },
  "batch-tables-not-empty": {
    demands: "A batch has at least one key or write for each table that it names.",
    source: pageOf.api("BatchGetItem and BatchWriteItem, RequestItems"),
    operations: BATCHES,
    check: ({ operation, batch }) =>
      firstFault(batch, ([name, part]) => {
        const asked = operation === "BatchGetItem" ? membersOf(part)?.Keys : part;
        if (!Array.isArray(asked) || asked.length > 0) return undefined;
        return operation === "BatchGetItem"
          ? constraint(
              "'[]'",
              `requestItems.${name}.member.keys`,
              "Member must have length greater than or equal to 1",
            )
          : constraint(`'{${name}=[]}'`, "requestItems", WRITES_DEMANDED);
      }),
  },
  "batch-size-of-reads": {
    demands: "A batch reads at most 100 items.",
    source: pageOf.api("BatchGetItem"),
    operations: ["BatchGetItem"],
    check: ({ batch }) => {
      const counts = batch.map(([name, part]) => [name, listOf(membersOf(part)?.Keys).length] as const);
      const over = counts.find(([, count]) => count > MAX_KEYS);
      if (over !== undefined) {
        const member = `'RequestItems.${over[0]}.member.Keys'`;
        return `1 validation error detected: Value at ${member} failed to satisfy constraint: Member must have length less than or equal to ${MAX_KEYS}`;
      }
      const total = counts.reduce((sum, [, count]) => sum + count, 0);
      return total > MAX_KEYS ? "Too many items requested for the BatchGetItem call" : undefined;
    },
  },
  "batch-size-of-writes": {
    demands: "A batch writes at most 25 items.",
    source: `${pageOf.api("BatchWriteItem")}; for one table AWS's message is another, which repeats the whole request`,
    check: ({ batch }) =>
      batch.reduce((sum, [, part]) => sum + listOf(part).length, 0) > MAX_WRITES
        ? "Too many items requested for the BatchWriteItem call"
        : undefined,
  },
  "batch-write-not-empty": {
    demands: "A write of a batch is a put or a delete.",
    source: `${pageOf.api("WriteRequest")}; the message is the one that dynalite recorded`,
    check: ({ batch }) => writesFault(batch, 0),
  },
  "batch-write-not-both": {
    demands: "A write of a batch is not both a put and a delete.",
    source: `${pageOf.api("WriteRequest")}; the message is the one that dynalite recorded for a write that is neither`,
    keptBy: NEITHER,
    check: ({ batch }) => writesFault(batch, 2),
  },
});

/** Rules for batches that need the tables' shapes. */
export const shapedBatchRules: readonly Rule[] = rulesWith({})({
  "batch-keys-differ": {
    demands: "A batch names each item only once.",
    source: pageOf.api("BatchGetItem and BatchWriteItem"),
    operations: BATCHES,
    check: ({ keys, items }: RequestAnalysis) => {
      const seen = new Set<string>();
      return firstFault([...keys, ...items], (place) => {
        const key = keyText(place);
        if (key === undefined) return undefined;
        if (seen.has(key)) return "Provided list of item keys contains duplicates";
        seen.add(key);
        return undefined;
      });
    },
  },
});

const WRITES_DEMANDED =
  `Map value must satisfy constraint: [Member must have length less than or equal to ${MAX_WRITES}, ` +
  "Member must have length greater than or equal to 1]";

/** The fault of a batch with a write that has no request (0) or both (2) instead of one. */
function writesFault(batch: RequestAnalysis["batch"], wrongCount: 0 | 2): string | undefined {
  const requests = (write: unknown) =>
    ["PutRequest", "DeleteRequest"].filter((name) => isGiven(ownMember(membersOf(write), name)));
  const isWrong = (write: unknown) => isMembers(write) && requests(write).length === wrongCount;
  return batch.some(([, part]) => listOf(part).some(isWrong))
    ? "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
    : undefined;
}

/** A text that is the same for equal keys of a table; undefined when the table's shape is not known. */
function keyText({ table, attributes }: Placed): string | undefined {
  if (table === undefined) return undefined;
  const values = keyAttributes(table).map(({ name }) => {
    const value = ownMember(attributes, name);
    const type = dataTypeOf(value);
    const content = type && contentOf(value, type);
    return type === "N" && typeof content === "string" ? numberOf(content) : [type, content];
  });
  return JSON.stringify([table.name, values]);
}
