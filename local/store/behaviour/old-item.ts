import type { StoreAnswer, StoreHandler, StoreRequest } from "../wire.ts";
import { exceptionOf } from "./exception.ts";
import type { TouchedItem } from "./touched-items.ts";

/**
 * Completes the answer to a write that failed its condition and asked for `ALL_OLD`: the exception gets the item that
 * failed the condition, as `Item`, when the engine leaves it out. The caller makes sure that nothing else writes to the
 * item meanwhile.
 */
export async function withFailedItem(
  engine: StoreHandler,
  request: StoreRequest,
  { tableName: TableName, key: Key }: TouchedItem,
  answer: StoreAnswer,
): Promise<StoreAnswer> {
  if (!lacksItem(request, answer)) return answer;
  const { body } = await engine({ operation: "GetItem", input: { TableName, Key, ConsistentRead: true } });
  return body.Item === undefined ? answer : { ...answer, body: { ...answer.body, Item: body.Item } };
}

const lacksItem = ({ input }: StoreRequest, answer: StoreAnswer): boolean =>
  input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" &&
  exceptionOf(answer) === "ConditionalCheckFailedException" &&
  answer.body.Item === undefined;
