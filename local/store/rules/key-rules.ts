import { ownMember } from "../../../lib/own-member.ts";
import { firstFault } from "../first-fault.ts";
import { type IndexShape, type KeyAttribute, keyAttributes } from "../table-shape.ts";
import { dataTypeOf } from "../value/attribute-value.ts";
import { writtenValues } from "./expression-scope.ts";
import { emptyFault, hasType, isKeyOf, keyBytes, lengthFault, maxKeyBytes } from "./key-value.ts";
import type { Placed, RequestAnalysis } from "./request-analysis.ts";
import { DYNOXIDE, INVALID, NEITHER, NOT_VALID, pageOf, type Rule, rulesWith } from "./rule.ts";

const KEYED = ["BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "UpdateItem"] as const;
const PUTS = ["BatchWriteItem", "PutItem"] as const;
const WRITES = ["BatchWriteItem", "PutItem", "UpdateItem"] as const;
const KEY_LENGTHS = pageOf.guide("Constraints, Partition keys and sort keys");
const MISMATCH = "The provided key element does not match the schema";

/** Rules for the keys of items: the key of the table, and those of its indexes. */
export const keyRules: readonly Rule[] = rulesWith({ operations: WRITES, source: KEY_LENGTHS })({
  "key-matches-table": {
    demands: "A key has the attributes of the table's key and no others, each of the right type.",
    source: pageOf.api("GetItem, Key"),
    operations: KEYED,
    check: ({ keys }) => firstFault(keys, mismatch),
  },
  "item-has-keys": {
    demands: "An item has the attributes of its table's key.",
    source: pageOf.api("PutItem, Item"),
    operations: PUTS,
    check: (request) =>
      inTableKeys(request.items, (value, { name }) => {
        if (value !== undefined) return undefined;
        return isBatch(request) ? MISMATCH : `${INVALID}Missing the key ${name} in the item`;
      }),
  },
  "item-key-types": {
    demands: "The key attributes of an item have the types that the table defines.",
    source: pageOf.api("PutItem, Item"),
    operations: PUTS,
    check: (request) =>
      inTableKeys(request.items, (value, key) => {
        if (hasType(value, key)) return undefined;
        if (isBatch(request)) return MISMATCH;
        const actual = dataTypeOf(value);
        return `${INVALID}Type mismatch for key ${key.name} expected: ${key.type} actual: ${actual}`;
      }),
  },
  "key-not-empty": {
    demands: "A key's value is not empty.",
    operations: [...KEYED, "PutItem"],
    check: ({ keys, items }) =>
      inTableKeys([...keys, ...items], (value, { name }) => emptyFault(value, name)),
  },
  "key-length": {
    demands: "A partition key's value has at most 2,048 bytes, a sort key's at most 1,024.",
    operations: [...KEYED, "PutItem"],
    keptBy: DYNOXIDE,
    check: ({ keys, items }) =>
      inTableKeys([...keys, ...items], (value, _key, isPartition) => lengthFault(value, isPartition)),
  },
  "index-key-types": {
    demands:
      "An attribute that is a key of an index has the key's type wherever a request writes it, or may write it.",
    source: pageOf.guide("Using global secondary indexes in DynamoDB"),
    check: (request) =>
      inIndexKeys(request, ({ value, key, index }) =>
        hasType(value, key)
          ? undefined
          : `${INVALID}Type mismatch for Index Key ${key.name} Expected: ${key.type} Actual: ${dataTypeOf(value)} IndexName: ${index.name}`,
      ),
  },
  "index-key-not-empty": {
    demands: "An attribute that is a key of an index is not empty.",
    keptBy: DYNOXIDE,
    check: (request) =>
      inIndexKeys(request, ({ value, key, index, isUpdate }) => {
        if (keyBytes(value) !== 0) return undefined;
        const kind = dataTypeOf(value) === "B" ? "binary" : "string";
        const empty = `The AttributeValue for a key attribute cannot contain an empty ${kind} value.`;
        return isUpdate
          ? `${NOT_VALID}The update expression attempted to update a secondary index key to a value that is not supported. ${empty}`
          : `${NOT_VALID}A value specified for a secondary index key is not supported. ${empty} IndexName: ${index.name}, IndexKey: ${key.name}`;
      }),
  },
  "index-key-length": {
    demands:
      "An attribute that is a key of an index has at most 2,048 bytes as a partition key, 1,024 as a sort key.",
    keptBy: NEITHER,
    check: (request) =>
      inIndexKeys(request, ({ value, key, index, isUpdate }) => {
        const [bytes, most] = [keyBytes(value) ?? 0, maxKeyBytes(key === index.partition)];
        if (bytes <= most) return undefined;
        return isUpdate
          ? `${INVALID}The update expression attempted to update the secondary index key beyond allowed size limits`
          : `${INVALID}Size limit exceeded for Index Key ${key.name} Actual Size: ${bytes} bytes Max Size: ${most} bytes IndexName: ${index.name}`;
      }),
  },
});

const isBatch = ({ operation }: RequestAnalysis): boolean => operation === "BatchWriteItem";

const mismatch = ({ table, attributes }: Placed): string | undefined =>
  table === undefined || isKeyOf(attributes, keyAttributes(table)) ? undefined : MISMATCH;

function inTableKeys(
  places: readonly Placed[],
  fault: (value: unknown, key: KeyAttribute, isPartition: boolean) => string | undefined,
): string | undefined {
  return firstFault(places, ({ table, attributes }) =>
    firstFault(table === undefined ? [] : keyAttributes(table), (key) =>
      fault(ownMember(attributes, key.name), key, key === table?.partition),
    ),
  );
}

/** A value that a request writes into an attribute that is a key of an index. */
interface IndexKeyValue {
  readonly value: unknown;
  readonly key: KeyAttribute;
  readonly index: IndexShape;
  readonly isUpdate: boolean;
}

function inIndexKeys(
  request: RequestAnalysis,
  fault: (written: IndexKeyValue) => string | undefined,
): string | undefined {
  return firstFault([...request.items, ...updated(request)], (place) =>
    firstFault(place.table?.indexes ?? [], (index) =>
      firstFault(keyAttributes(index), (key) => {
        const value = ownMember(place.attributes, key.name);
        // An item that lacks the attribute is not in the index.
        if (value === undefined) return undefined;
        return fault({ value, key, index, isUpdate: request.operation === "UpdateItem" });
      }),
    ),
  );
}

/** The attributes that an update may set to values of the request. */
function updated({ operation, scope, table }: RequestAnalysis): readonly Placed[] {
  if (operation !== "UpdateItem") return [];
  return writtenValues(scope).flatMap(({ path, value }) => {
    const name = path.steps.length === 1 ? scope.attribute(path) : undefined;
    return name === undefined ? [] : [{ table, attributes: { [name]: value } }];
  });
}
