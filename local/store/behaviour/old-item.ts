import type { TableShapes } from "../table-shape.ts";
import type { StoreAnswer, StoreHandler, StoreRequest } from "../wire.ts";
import { exceptionOf } from "./exception.ts";
import { updateWithinLimits } from "./kept-limits.ts";
import { KeyedTurns } from "./keyed-turns.ts";
import { touchedItems, WRITES } from "./touched-items.ts";

export interface OldItemOptions {
  readonly engine: StoreHandler;
  readonly tables: TableShapes;
}

/**
 * Completes the answer to a write that failed its condition and asked for `ALL_OLD`: the item that failed it comes with
 * the exception, as `Item`, where the engine leaves it out. Writes of one item wait for each other here, so that no other
 * can take its place before it is read. What an engine answers completely is left as it is. An update that an engine lets
 * leave an item beyond DynamoDB's limits is refused in the same turn.
 */
export function completingFailedConditions({ engine, tables }: OldItemOptions): StoreHandler {
  const turns = new KeyedTurns();
  return (request) => {
    if (!WRITES.has(request.operation)) return engine(request);
    const items = touchedItems(request, tables);
    return turns.take(
      items.map(({ id }) => id),
      async () => {
        const [item] = items;
        if (item === undefined) return engine(request);
        const answer = await updateWithinLimits(engine, request, item);
        if (!lacksItem(request, answer)) return answer;
        const { tableName: TableName, key: Key } = item;
        const { body } = await engine({
          operation: "GetItem",
          input: { TableName, Key, ConsistentRead: true },
        });
        return body.Item === undefined ? answer : { ...answer, body: { ...answer.body, Item: body.Item } };
      },
    );
  };
}

const lacksItem = ({ input }: StoreRequest, answer: StoreAnswer): boolean =>
  input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" &&
  exceptionOf(answer) === "ConditionalCheckFailedException" &&
  answer.body.Item === undefined;
