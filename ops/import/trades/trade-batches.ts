import { stretchOf } from "../../../lib/trades/segment.ts";
import type { Trade } from "../../../lib/trades/trade.ts";

/** The most trades that are held back. */
const TRADES_MAX = 5_000;

/**
 * Collects trades into batches that end where segments do, so that the same file, or another that overlaps it, is cut
 * into the same segments. The stretch of time that the file is in the middle of is held back until it is complete,
 * whichever way the file is sorted.
 */
export class TradeBatches {
  #stretches = new Map<number, Trade[]>();
  #count = 0;

  /** Adds a trade. @returns the trades that are ready to be written; most calls return none. */
  add(trade: Trade): Trade[] {
    const stretch = stretchOf(trade);
    const trades = this.#stretches.get(stretch) ?? [];
    trades.push(trade);
    this.#stretches.set(stretch, trades);
    this.#count += 1;
    if (this.#count < TRADES_MAX) return [];
    const isOneStretch = trades.length === this.#count;
    return isOneStretch ? this.finish() : this.#release(stretch, trades);
  }

  /** Hands over all trades that are still held back. */
  finish(): Trade[] {
    const trades = [...this.#stretches.values()].flat();
    this.#stretches.clear();
    this.#count = 0;
    return trades;
  }

  #release(stretch: number, kept: Trade[]): Trade[] {
    this.#stretches.delete(stretch);
    const trades = this.finish();
    this.#stretches.set(stretch, kept);
    this.#count = kept.length;
    return trades;
  }
}
