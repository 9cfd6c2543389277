import type { Members } from "../../../lib/json-value.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { firstFault } from "../first-fault.ts";
import { membersOf } from "../members.ts";
import { type KeyAttribute, keyAttributes } from "../table-shape.ts";
import { compareValues } from "../value/attribute-value.ts";
import { selects } from "./key-condition.ts";
import { emptyFault, isKeyOf, lengthFault } from "./key-value.ts";
import type { RequestAnalysis } from "./request-analysis.ts";
import { DYNALITE, pageOf, READ_OPERATIONS, type Rule, rulesWith } from "./rule.ts";

const PAGE = pageOf.api("Query and Scan, ExclusiveStartKey");
const INVALID_START = "The provided starting key is invalid";

/** Rules for the key after which a read begins. */
export const startKeyRules: readonly Rule[] = rulesWith({ operations: READ_OPERATIONS, source: PAGE })({
  "start-key-form": {
    demands: "A start key has the key attributes of the table, and of the index that is read, and no others.",
    check: (request) => {
      const start = startOf(request);
      if (start === undefined || isKeyOf(start.key, start.attributes)) return undefined;
      const isOfIndex = request.index !== undefined;
      return isOfIndex || request.operation === "Query"
        ? INVALID_START
        : `${INVALID_START}: The provided key element does not match the schema`;
    },
  },
  "start-key-values": {
    demands: "The values of a start key are neither empty nor longer than a key's may be.",
    source: `${PAGE}; ${pageOf.guide("Constraints, Partition keys and sort keys")}`,
    keptBy: DYNALITE,
    check: (request) => {
      const start = startOf(request);
      return firstFault(start?.attributes ?? [], ({ name }) => {
        const value = ownMember(start?.key, name);
        const isPartition = name === request.table?.partition.name || name === request.index?.partition.name;
        const fault = emptyFault(value, name) ?? lengthFault(value, isPartition);
        return fault && `${INVALID_START}: ${fault}`;
      });
    },
  },
  "start-key-in-partition": {
    demands: "The start key of a query lies in the partition that is read.",
    operations: ["Query"],
    keptBy: DYNALITE,
    check: (request) => {
      const start = startOf(request);
      const partition = request.readKeys?.partition.name;
      const condition = request.keyConditions?.find(
        ({ attribute, operator }) => operator === "=" && attribute === partition,
      );
      if (start === undefined || condition === undefined) return undefined;
      const order = compareValues(ownMember(start.key, condition.attribute), condition.values[0]);
      return order === undefined || order === 0
        ? undefined
        : "The provided starting key is outside query boundaries based on provided conditions";
    },
  },
  "start-key-in-range": {
    demands: "The start key of a query lies in the range that is read.",
    operations: ["Query"],
    keptBy: DYNALITE,
    check: (request) => {
      const start = startOf(request);
      const sort = request.readKeys?.sort;
      const condition = request.keyConditions?.find(({ attribute }) => attribute === sort?.name);
      if (start === undefined || condition === undefined) return undefined;
      return selects(condition, ownMember(start.key, condition.attribute))
        ? undefined
        : "The provided starting key does not match the range key predicate";
    },
  },
});

interface StartKey {
  readonly key: Members;
  /** The attributes that the start key must have. */
  readonly attributes: readonly KeyAttribute[];
}

function startOf({ input, table, readKeys }: RequestAnalysis): StartKey | undefined {
  const key = membersOf(input.ExclusiveStartKey);
  if (key === undefined || table === undefined || readKeys === undefined) return undefined;
  const named = new Map(
    [...keyAttributes(readKeys), ...keyAttributes(table)].map((each) => [each.name, each]),
  );
  return { key, attributes: [...named.values()] };
}
