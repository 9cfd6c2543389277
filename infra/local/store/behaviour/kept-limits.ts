import { itemBytes, valueBytes } from "../value/attribute-value.ts";
import { attributesFault } from "../value/value-fault.ts";
import { refusalAnswer, type StoreAnswer, type StoreHandler, type StoreRequest } from "../wire.ts";
import type { TouchedItem, WireItem } from "./touched-items.ts";

/** What an item may have at most (developer guide, Constraints). */
const MAX_ITEM_BYTES = 409_600;
/** Updates with less than this, and nothing that is worked out, are taken to keep every limit. */
const SMALL_BYTES = 1_024;
/** What makes a value out of others, or puts one into another: sums, functions, and paths of several steps. */
const WORKED_OUT = /[-+.[]|\badd\b|list_append/i;

/**
 * Updates an item, and takes the update back if the item that it leaves is one that DynamoDB would not store: a sum of
 * too many digits, a value that is too deep, an item that is too long. No other may write to the item meanwhile.
 */
export async function updateWithinLimits(
  engine: StoreHandler,
  request: StoreRequest,
  { tableName: TableName, key: Key }: TouchedItem,
): Promise<StoreAnswer> {
  if (keepsLimits(request)) return engine(request);
  const image = async (): Promise<WireItem | undefined> => {
    const { body } = await engine({ operation: "GetItem", input: { TableName, Key, ConsistentRead: true } });
    return body.Item as WireItem | undefined;
  };
  const before = await image();
  const answer = await engine(request);
  const message = answer.status === 200 ? faultOf(await image()) : undefined;
  if (message === undefined) return answer;
  if (before === undefined) await engine({ operation: "DeleteItem", input: { TableName, Key } });
  else await engine({ operation: "PutItem", input: { TableName, Item: before } });
  return refusalAnswer({ code: "ValidationException", message });
}

function keepsLimits({ operation, input }: StoreRequest): boolean {
  const { UpdateExpression: expression = "", ExpressionAttributeValues: values = {} } = input;
  if (operation !== "UpdateItem") return true;
  const bytes = Object.values(values as object).reduce<number>((sum, value) => sum + valueBytes(value), 0);
  return bytes < SMALL_BYTES && !WORKED_OUT.test(String(expression));
}

function faultOf(item: WireItem | undefined): string | undefined {
  if (item === undefined) return undefined;
  const message = attributesFault(item)?.message;
  if (message !== undefined) return message;
  return itemBytes(item) > MAX_ITEM_BYTES
    ? "Item size to update has exceeded the maximum allowed size"
    : undefined;
}
