import type { TableShapes } from "../table-shape.ts";
import { attributesFault } from "../value/value-fault.ts";
import {
  exceptionOf,
  refusalAnswer,
  type StoreAnswer,
  type StoreHandler,
  type StoreRequest,
} from "../wire.ts";
import { imageOf, type TouchedItem, touchedItems, WRITES } from "./touched-items.ts";

/**
 * Makes writes of one item wait for each other, so that each can be completed where the engine lacks something: an
 * update keeps DynamoDB's limits (`updateWithinLimits`), and a failed condition returns the item that failed it
 * (`withFailedItem`).
 */
export function writesInTurn(engine: StoreHandler, tables: TableShapes): StoreHandler {
  const turns = new ItemTurns();
  return (request) => {
    if (!WRITES.has(request.operation)) return engine(request);
    const items = touchedItems(request, tables);
    return turns.take(items, async () => {
      const [item] = items;
      if (item === undefined) return engine(request);
      const answer = await updateWithinLimits(engine, request, item);
      return await withFailedItem(engine, request, item, answer);
    });
  };
}

/** Matches updates that compute a value or put one into another: sums, `list_append`, and paths of several steps. */
const WORKED_OUT = /[-+.[]|\badd\b|list_append/i;

/**
 * Updates an item, and takes the update back if DynamoDB would not store the resulting item: a sum has too many digits,
 * or a value is nested too deep. The caller makes sure that nothing else writes to the item meanwhile.
 */
async function updateWithinLimits(
  engine: StoreHandler,
  request: StoreRequest,
  item: TouchedItem,
): Promise<StoreAnswer> {
  if (keepsLimits(request)) return engine(request);
  const before = await imageOf(engine, item);
  const answer = await engine(request);
  if (answer.status !== 200) return answer;
  const message = attributesFault((await imageOf(engine, item)) ?? {})?.message;
  if (message === undefined) return answer;
  const { tableName: TableName, key: Key } = item;
  if (before === undefined) await engine({ operation: "DeleteItem", input: { TableName, Key } });
  else await engine({ operation: "PutItem", input: { TableName, Item: before } });
  return refusalAnswer({ code: "ValidationException", message });
}

const keepsLimits = ({ operation, input }: StoreRequest): boolean =>
  operation !== "UpdateItem" || !WORKED_OUT.test(String(input.UpdateExpression));

/**
 * Completes the answer to a write that failed its condition and asked for `ALL_OLD`: the exception gets the item that
 * failed the condition, as `Item`, when the engine leaves it out. The caller makes sure that nothing else writes to the
 * item meanwhile.
 */
async function withFailedItem(
  engine: StoreHandler,
  request: StoreRequest,
  item: TouchedItem,
  answer: StoreAnswer,
): Promise<StoreAnswer> {
  if (!lacksItem(request, answer)) return answer;
  const Item = await imageOf(engine, item);
  return Item === undefined ? answer : { ...answer, body: { ...answer.body, Item } };
}

const lacksItem = ({ input }: StoreRequest, answer: StoreAnswer): boolean =>
  input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" &&
  exceptionOf(answer) === "ConditionalCheckFailedException" &&
  answer.body.Item === undefined;

/** Runs actions on the same item one after the other, and all others at the same time. */
export class ItemTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs an action when all earlier actions on one of its items are done. Actions cannot wait for each other in a circle,
   * because an action queues for all of its items at once.
   */
  async take<Result>(items: readonly TouchedItem[], act: () => Promise<Result>): Promise<Result> {
    const before = Promise.all(items.map(async ({ id }) => this.#last.get(id)));
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    for (const { id } of items) this.#last.set(id, done);
    await before;
    try {
      return await act();
    } finally {
      finish();
      for (const { id } of items) if (this.#last.get(id) === done) this.#last.delete(id);
    }
  }
}
