import { attributesFault } from "../value/value-fault.ts";
import { refusalAnswer, type StoreAnswer, type StoreHandler, type StoreRequest } from "../wire.ts";
import type { TouchedItem, WireItem } from "./touched-items.ts";

/** Matches updates that compute a value or put one into another: sums, `list_append`, and paths of several steps. */
const WORKED_OUT = /[-+.[]|\badd\b|list_append/i;

/**
 * Updates an item, and takes the update back if DynamoDB would not store the resulting item: a sum has too many digits,
 * or a value is nested too deep. The caller makes sure that nothing else writes to the item meanwhile.
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
  const message = answer.status === 200 ? attributesFault((await image()) ?? {})?.message : undefined;
  if (message === undefined) return answer;
  if (before === undefined) await engine({ operation: "DeleteItem", input: { TableName, Key } });
  else await engine({ operation: "PutItem", input: { TableName, Item: before } });
  return refusalAnswer({ code: "ValidationException", message });
}

const keepsLimits = ({ operation, input }: StoreRequest): boolean =>
  operation !== "UpdateItem" || !WORKED_OUT.test(String(input.UpdateExpression));
