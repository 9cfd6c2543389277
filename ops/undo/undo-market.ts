import { hasItems } from "../../lib/dynamo/has-items.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { bucketOf } from "../../lib/trades/segment.ts";
import { partitionOf } from "../../lib/trades/segment-key.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import type { UndoMode } from "./undo-tally.ts";

const QUERIES_AT_ONCE = 32;

/** Trades are at most a day ahead of the clock that imported them. */
const AHEAD_MS_MAX = 86_400_000;

/** Whether any trade of a market is stored, whenever it was made. One query for each bucket since 1970. */
async function hasTrades(trades: Table, symbol: string, now: number): Promise<boolean> {
  const last = bucketOf(now + AHEAD_MS_MAX);
  for (let bucket = last; bucket >= 0; bucket -= QUERIES_AT_ONCE) {
    const together = Array.from({ length: Math.min(QUERIES_AT_ONCE, bucket + 1) }, (_, at) => bucket - at);
    const found = await Promise.all(
      together.map((one) => hasItems(trades, { name: "pk", value: partitionOf(symbol, one) })),
    );
    if (found.includes(true)) return true;
  }
  return false;
}

/** Takes a market off the list that an import put there, unless it has trades by now. @returns whether it did. */
export async function undoListing(
  { table }: OperatorStore,
  symbol: string,
  now: number,
  { isRehearsal, tally }: UndoMode,
): Promise<boolean> {
  // In a rehearsal, the import's own trades are still there.
  if (isRehearsal) return tally.left.length === 0;
  if (await hasTrades(table("Trades"), symbol, now)) {
    tally.leave(`market ${symbol}`, "has trades of others");
    return false;
  }
  await new MarketRegister(table("Settings")).remove(symbol);
  return true;
}
