import type { TableShapes } from "../table-shape.ts";
import type { StoreHandler } from "../wire.ts";
import { updateWithinLimits } from "./kept-limits.ts";
import { KeyedTurns } from "./keyed-turns.ts";
import { withFailedItem } from "./old-item.ts";
import { touchedItems, WRITES } from "./touched-items.ts";

export interface WritesInTurnOptions {
  readonly engine: StoreHandler;
  readonly tables: TableShapes;
}

/**
 * Makes writes of one item wait for each other, so that each can be completed where the engine lacks something: an
 * update keeps DynamoDB's limits (`updateWithinLimits`), and a failed condition returns the item that failed it
 * (`withFailedItem`).
 */
export function writesInTurn({ engine, tables }: WritesInTurnOptions): StoreHandler {
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
        return await withFailedItem(engine, request, item, answer);
      },
    );
  };
}
