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
 * Writes of one item wait for each other, so that what an engine leaves out can be added around each: an update keeps
 * DynamoDB's limits (`updateWithinLimits`), and a failed condition shows the item that it failed by (`withFailedItem`).
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
