import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../lib/clock.ts";
import { decimalText } from "../../lib/trades/decimal.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import {
  CENT_DIGITS,
  type DemoMarket,
  type Period,
  priceAt,
  SATOSHI_DIGITS,
  spreadOf,
} from "./trade-plan.ts";

/** How often trades are written. */
const TICK_MS = 1_000;
/** A clock that is further on than this after a pause was set. */
const JUMP_MS = 60_000;
/** Trades that are written together. */
const BATCH_TRADES = 4_000;
/** Live trades are small, so that a chart still shows the volumes of the hours before. */
const SATOSHIS_MIN = 1_000;
const SATOSHIS_MAX = 300_000;

/** New trades of a market, ascending, spread over a period: their prices go on with the walk of the demo's. */
export function tradesIn(market: DemoMarket, { fromMs, toMs }: Period, count: number): Trade[] {
  const spread = spreadOf(market);
  const spanMs = toMs - fromMs;
  return Array.from({ length: count }, (_, at): Trade => {
    const tradedAt = fromMs + Math.floor(((at + 1) * spanMs) / count);
    const cents = priceAt(market, tradedAt) + randomInt(-spread, spread + 1);
    return {
      tradedAt,
      publishedAt: tradedAt,
      price: decimalText(cents, CENT_DIGITS),
      quantity: decimalText(randomInt(SATOSHIS_MIN, SATOSHIS_MAX), SATOSHI_DIGITS),
      id: randomBytes(16).toString("hex"),
      side: randomInt(2) === 0 ? "buy" : "sell",
    };
  });
}

export interface LiveTradesJob {
  readonly market: DemoMarket;
  readonly perSecond: number;
  /** How long the market goes on; undefined until `stop` is aborted. */
  readonly forMs: number | undefined;
  readonly write: (trades: readonly Trade[]) => Promise<unknown>;
  /** Called after each batch, with the trades written so far and the last of them. */
  readonly onWritten: (total: number, last: Trade) => void;
  readonly stop: AbortSignal;
  readonly clock: Clock;
  /** Resolves after a time, or when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Lets a market go on: each second, the trades of the time since are written, so many a second on average. A stop
 * writes those of the time until then. Where the clock is set, the market goes on from there.
 *
 * @returns how many trades were written.
 */
export async function runLiveTrades(job: LiveTradesJob): Promise<number> {
  const { market, perSecond, forMs = Number.POSITIVE_INFINITY, stop, clock, wait = waitUnless } = job;
  let startedAt = clock();
  let endsAt = startedAt + forMs;
  let fromMs = startedAt;
  let total = 0;
  while (fromMs < endsAt && !stop.aborted) {
    const waitMs = Math.min(TICK_MS, endsAt - fromMs);
    await wait(waitMs, stop);
    const passedMs = clock() - fromMs;
    const setMs = passedMs < 0 || passedMs > JUMP_MS ? passedMs - waitMs : 0;
    startedAt += setMs;
    endsAt += setMs;
    fromMs += setMs;
    const toMs = Math.max(fromMs, Math.min(clock(), endsAt));
    const due = Math.floor(((toMs - startedAt) * perSecond) / 1_000) - total;
    const trades = tradesIn(market, { fromMs, toMs }, due);
    total = await writeBatches(job, trades, total);
    fromMs = toMs;
  }
  return total;
}

async function writeBatches(
  { write, onWritten }: LiveTradesJob,
  trades: readonly Trade[],
  before: number,
): Promise<number> {
  let total = before;
  for (let at = 0; at < trades.length; at += BATCH_TRADES) {
    const batch = trades.slice(at, at + BATCH_TRADES);
    await write(batch);
    total += batch.length;
    onWritten(total, batch.at(-1) as Trade);
  }
  return total;
}

/** Resolves after a time, or when the signal is aborted. */
export const waitUnless = (ms: number, signal: AbortSignal): Promise<unknown> =>
  pause(ms, undefined, { signal }).catch(() => {});
