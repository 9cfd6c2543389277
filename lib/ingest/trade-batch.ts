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

/** The trades after which a batch ends. */
export const BATCH_TRADES = 5_000;

/**
 * The stretches after which a batch ends: each takes a write at least. A batch is written within seconds, even by a store that
 * throttles, so that it counts when the time of the function is over, and stays far below `WRITE_MS_MAX`.
 */
export const BATCH_STRETCHES = 250;

/** Cuts trades of one market into batches, by revision and time. A batch ends where segments do. */
export function cutBatches(symbol: string, given: readonly GivenTrade[]): TradeBatch[] {
  return [...Map.groupBy(given, ({ record }) => record.head.revision ?? FIRST_REVISION)].flatMap(
    ([revision, trades]) => cutByTime(trades).map((batch) => ({ symbol, revision, given: batch })),
  );
}

function cutByTime(given: readonly GivenTrade[]): GivenTrade[][] {
  const batches: GivenTrade[][] = [];
  let stretches = 0;
  for (const one of given.toSorted((a, b) => a.trade.tradedAt - b.trade.tradedAt)) {
    const open = batches.at(-1);
    const last = open?.at(-1);
    const isNewStretch = last === undefined || stretchOf(last.trade) !== stretchOf(one.trade);
    const isFull = (open?.length ?? 0) >= BATCH_TRADES || stretches >= BATCH_STRETCHES;
    const isFirst = open === undefined || (isNewStretch && isFull);
    if (isFirst) batches.push([one]);
    else open.push(one);
    stretches = (isFirst ? 0 : stretches) + Number(isNewStretch);
  }
  return batches;
}
