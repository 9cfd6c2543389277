import { decimalText } from "../../lib/trades/decimal.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { drawHex, drawInteger, drawMany } from "./draw.ts";

/** The demo's markets: one with tens of thousands of trades, one with a few, and one with none. */
export const demoMarkets = { busy: "BTC-USD", sparse: "SOL-EUR", empty: "DOT-USD" } as const;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** How far back trades go at the first start. */
export const DEMO_SPAN_MS = 60 * DAY_MS;

/** The busy market trades in flurries, one in each slot of time. */
const SLOT_MS = 60 * MINUTE_MS;
const FLURRY_MS = 2_000;
const FLURRY_MIN = 20;
const FLURRY_MAX = 40;
/** One slot in so many has a burst besides: a large order that takes hundreds of offers within one millisecond. */
const SLOTS_PER_BURST = 36;
const BURST_TRADES = 260;
/** Lately the busy market has a trade each minute as well. */
const LATELY_MS = 120 * MINUTE_MS;

const SPARSE_SLOT_MS = 36 * 60 * MINUTE_MS;

/** The typical price of each market, in its smallest unit. */
export const typicalCents: Readonly<Record<(typeof demoMarkets)[keyof typeof demoMarkets], number>> = {
  "BTC-USD": 6_482_500,
  "SOL-EUR": 14_250,
  "DOT-USD": 512,
};
/** The digits after the point of a price, and of a quantity. */
export const CENT_DIGITS = 2;
export const SATOSHI_DIGITS = 8;
const SATOSHIS_PER_MICRO = 100;

/** Time from one instant to another, the last one included, in epoch milliseconds. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The starts of the slots that a period touches. */
function slotsOf({ fromMs, toMs }: Period, slotMs: number): number[] {
  const first = Math.floor(fromMs / slotMs);
  return Array.from({ length: Math.floor(toMs / slotMs) - first + 1 }, (_, n) => (first + n) * slotMs);
}

/** Trades beginning at one instant: each a few cents from the one before it, `stepMs` later at most. */
function walk(label: string, count: number, startMs: number, stepMs: number): Trade[] {
  const draws = drawMany(label);
  const next = (choices: number): number => draws.number() % choices;
  let cents = priceAt(demoMarkets.busy, typicalCents[demoMarkets.busy], startMs);
  let tradedAt = startMs;
  return Array.from({ length: count }, () => {
    cents += next(61) - 30;
    tradedAt += next(stepMs + 1);
    const satoshis = next(4) === 0 ? (1 + next(50)) * 1_000_000 : 1_000 + next(60_000_000);
    return {
      tradedAt,
      publishedAt: tradedAt + next(3),
      price: decimalText(cents, CENT_DIGITS),
      quantity: decimalText(satoshis, SATOSHI_DIGITS),
      id: draws.hex(),
      side: next(2) === 0 ? "buy" : "sell",
    };
  });
}

/** All trades of one slot of the busy market, ascending. */
function slotTrades(slotMs: number): Trade[] {
  const label = `trades/${demoMarkets.busy}/${slotMs}`;
  // On the grid that segments are cut on, so that a flurry is one segment and a start is quick.
  const startMs = slotMs + FLURRY_MS * drawInteger(`${label}/start`, 0, SLOT_MS / FLURRY_MS - 2);
  const count = drawInteger(`${label}/count`, FLURRY_MIN, FLURRY_MAX);
  const flurry = walk(label, count, startMs, Math.floor(FLURRY_MS / FLURRY_MAX) - 1);
  if ((slotMs / SLOT_MS) % SLOTS_PER_BURST !== 0) return flurry;
  return [...flurry, ...walk(`${label}/burst`, BURST_TRADES, startMs + FLURRY_MS, 0)];
}

const within = (period: Period, trades: readonly Trade[]): Trade[] =>
  trades.filter(({ tradedAt }) => tradedAt >= period.fromMs && tradedAt <= period.toMs);

/** A period before the last days, for fewer trades: one slot in so many is kept, and each of these has a burst. */
const FEW_SLOTS_PER_SLOT = 5 * SLOTS_PER_BURST;
const FEW_RECENT_MS = 2 * DAY_MS;

/**
 * Some of the busy market's trades of a period: all of its last two days, and before them the flurries of one slot in
 * 180. They are a tenth of all, and as many as a test needs: the same days, bursts and pages.
 */
export function fewBusyTrades(period: Period): Trade[] {
  const isKept = (slotMs: number): boolean =>
    slotMs >= period.toMs - FEW_RECENT_MS || (slotMs / SLOT_MS) % FEW_SLOTS_PER_SLOT === 0;
  return busyTrades(period, isKept);
}

/**
 * The busy market's trades of a period, ascending by slots. Two periods that overlap have the same trades there.
 *
 * @param isKept whether a slot counts, by its beginning in epoch milliseconds.
 */
export function busyTrades(period: Period, isKept = (_slotMs: number): boolean => true): Trade[] {
  const lately = { fromMs: Math.max(period.fromMs, period.toMs - LATELY_MS), toMs: period.toMs };
  const minutes = slotsOf(lately, MINUTE_MS).flatMap((minute) =>
    walk(`trades/${demoMarkets.busy}/minute/${minute}`, 1, minute, MINUTE_MS - 1),
  );
  return within(period, [...slotsOf(period, SLOT_MS).filter(isKept).flatMap(slotTrades), ...minutes]);
}

/** The sparse market's trades of a period, ascending. */
export function sparseTrades(period: Period): Trade[] {
  const trades = slotsOf(period, SPARSE_SLOT_MS).map((slotMs): Trade => {
    const label = `trades/${demoMarkets.sparse}/${slotMs}`;
    const tradedAt = slotMs + drawInteger(`${label}/at`, 0, SPARSE_SLOT_MS - 1);
    const cents = priceAt(demoMarkets.sparse, typicalCents[demoMarkets.sparse], tradedAt);
    const quantity = decimalText(
      SATOSHIS_PER_MICRO * drawInteger(`${label}/quantity`, 1, 40_000_000),
      SATOSHI_DIGITS,
    );
    const id = drawHex(`${label}/id`, 32);
    return {
      tradedAt,
      publishedAt: tradedAt,
      price: decimalText(cents, CENT_DIGITS),
      quantity,
      id,
      side: "buy",
    };
  });
  return within(period, trades);
}

const HOUR_MS = 3_600_000;
const PARTS = 10_000;

/** Waves of a price: how long each is, and how far it moves the price at most, in ten-thousandths. */
const WAVES = [
  { lengthMs: 480 * HOUR_MS, parts: 1_200 },
  { lengthMs: 48 * HOUR_MS, parts: 500 },
  { lengthMs: 5 * HOUR_MS, parts: 150 },
  { lengthMs: HOUR_MS / 2, parts: 40 },
] as const;

/**
 * The price of a market at an instant, in the smallest unit: a walk that is the same whenever it is begun, because each
 * wave of it goes from one drawn height to the next on a grid of absolute time.
 */
export function priceAt(symbol: string, typical: number, instantMs: number): number {
  const moved = WAVES.reduce((sum, { lengthMs, parts }) => {
    const from = Math.floor(instantMs / lengthMs);
    const height = (step: number) => drawInteger(`price/${symbol}/${lengthMs}/${step}`, -parts, parts);
    const way = (instantMs - from * lengthMs) / lengthMs;
    return sum + height(from) + (height(from + 1) - height(from)) * way * way * (3 - 2 * way);
  }, 0);
  return Math.round(typical * (1 + moved / PARTS));
}
