import { FIRST_REVISION, stretchOf } from "../trades/segment.ts";
import type { Trade } from "../trades/trade.ts";
import type { GivenRecord } from "./delivery.ts";

/** A trade, and the record that gave it. */
export interface GivenTrade {
  readonly record: GivenRecord;
  readonly trade: Trade;
}

/** Trades of one market and revision that are packed together. */
export interface TradeBatch {
  readonly symbol: string;
  readonly revision: number;
  readonly given: readonly GivenTrade[];
}

/**
 * The trades after which a batch ends: few enough to be written in some seconds, so that what is written by then counts
 * when the time of the function is over.
 */
export const BATCH_TRADES = 5_000;

/** Cuts trades of one market into batches, by revision and time. A batch ends where segments do. */
export function cutBatches(symbol: string, given: readonly GivenTrade[]): TradeBatch[] {
  return [...Map.groupBy(given, ({ record }) => record.head.revision ?? FIRST_REVISION)].flatMap(
    ([revision, trades]) => cutByTime(trades).map((batch) => ({ symbol, revision, given: batch })),
  );
}

function cutByTime(given: readonly GivenTrade[]): GivenTrade[][] {
  const batches: GivenTrade[][] = [];
  for (const one of given.toSorted((a, b) => a.trade.tradedAt - b.trade.tradedAt)) {
    const open = batches.at(-1);
    const last = open?.at(-1);
    const isFull = open !== undefined && open.length >= BATCH_TRADES;
    const isSameStretch = last !== undefined && stretchOf(last.trade) === stretchOf(one.trade);
    if (open === undefined || (isFull && !isSameStretch)) batches.push([one]);
    else open.push(one);
  }
  return batches;
}
