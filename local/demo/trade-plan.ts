import { decimalText } from "../../lib/trades/decimal.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { drawHex, drawInteger, drawMany } from "./draw.ts";
import { walkAt } from "./price-walk.ts";

/** The demo's markets: one with tens of thousands of trades, one with a few, and one with none. */
export const demoMarkets = { busy: "BTC-USD", sparse: "SOL-EUR", empty: "DOT-USD" } as const;
export type DemoMarket = (typeof demoMarkets)[keyof typeof demoMarkets];

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
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
/** The sizes of trades beside those of a flurry. */
const BURST_SIZE = 0.15;
const MINUTE_SIZE = 0.2;
/** Lately the busy market has a trade each minute as well. */
const LATELY_MS = 120 * MINUTE_MS;

const SPARSE_SLOT_MS = 36 * 60 * MINUTE_MS;

/** The part of its hour's walk that the busy market goes outside of the flurry. */
const QUIET_PART = 0.02;
/** The move of an hour by which its volume is usual, as a part of the price. */
const USUAL_MOVE = 0.005;
/** A market's typical price has so many times the most that a trade is away from the price of its instant. */
const PRICE_PER_SPREAD = 200_000;

/** The typical price of each market, in its smallest unit. */
const typicalCents: Readonly<Record<DemoMarket, number>> = {
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

/** When the flurry of the slot that begins at an instant begins. */
const flurryOf = (slotMs: number): number =>
  // On the grid that segments are cut on, so that a flurry is one segment and a start is quick.
  slotMs + FLURRY_MS * drawInteger(`trades/${demoMarkets.busy}/${slotMs}/start`, 0, SLOT_MS / FLURRY_MS - 2);

/**
 * The hours of a market's walk until an instant, for the instants of one slot. On the busy market the flurry of a slot
 * walks nearly all of its hour, and the time around it the rest: candles have bodies, and begin where the last ended.
 */
function walkedHours(market: DemoMarket, inSlotMs: number): (instantMs: number) => number {
  if (market !== demoMarkets.busy) return (instantMs) => instantMs / HOUR_MS;
  const slotMs = Math.floor(inSlotMs / SLOT_MS) * SLOT_MS;
  const flurryMs = flurryOf(slotMs);
  return (instantMs) => {
    const flurryPart = Math.min(Math.max(0, instantMs - flurryMs), FLURRY_MS) / FLURRY_MS;
    const slotPart = (instantMs - slotMs) / SLOT_MS;
    return (slotMs + SLOT_MS * (QUIET_PART * slotPart + (1 - QUIET_PART) * flurryPart)) / HOUR_MS;
  };
}

const seeds = new Map<DemoMarket, number>();

function seedOf(market: DemoMarket): number {
  const seed = seeds.get(market) ?? drawInteger(`price/${market}`, 0, 2 ** 32 - 1);
  seeds.set(market, seed);
  return seed;
}

/** The price of a market at an instant, in its smallest unit: a walk in one piece, the same whenever it is asked for. */
export const priceAt = (market: DemoMarket, instantMs: number): number =>
  priceAfter(market, walkedHours(market, instantMs)(instantMs));

const priceAfter = (market: DemoMarket, hours: number): number =>
  Math.round(typicalCents[market] * walkAt(seedOf(market), hours));

/** How far a trade is from the price of its instant at most, in a market's smallest unit. */
export const spreadOf = (market: DemoMarket): number =>
  Math.max(1, Math.round(typicalCents[market] / PRICE_PER_SPREAD));

/** How busy the hour of a slot is, around 1: the busier, the further the price moves in it. */
function activityOf(slotMs: number): number {
  const hours = slotMs / HOUR_MS;
  const move = Math.abs(
    walkAt(seedOf(demoMarkets.busy), hours + 1) - walkAt(seedOf(demoMarkets.busy), hours),
  );
  const chance = drawInteger(`trades/${demoMarkets.busy}/${slotMs}/activity`, 20, 100) / 100;
  return chance * (0.5 + move / USUAL_MOVE);
}

interface SomeTrades {
  readonly count: number;
  /** When they begin; all are in one slot. */
  readonly startMs: number;
  /** The time that they are spread over; 0 for one millisecond. */
  readonly spanMs: number;
  /** How large each is, as a part of those of a flurry. */
  readonly size: number;
}

/** Trades of the busy market, drawn from a label. */
function someTrades(label: string, { count, startMs, spanMs, size }: SomeTrades): Trade[] {
  const draws = drawMany(label);
  const next = (choices: number): number => draws.number() % choices;
  const hoursAt = walkedHours(demoMarkets.busy, startMs);
  const activity = size * activityOf(Math.floor(startMs / SLOT_MS) * SLOT_MS);
  const spread = spreadOf(demoMarkets.busy);
  return Array.from({ length: count }, (_, at) => {
    const cents = next(2 * spread + 1) - spread;
    const tradedAt = startMs + Math.floor((spanMs * (at + next(1_000) / 1_000)) / count);
    const satoshis =
      next(4) === 0
        ? Math.ceil(activity * (1 + next(50))) * 1_000_000
        : 1_000 + Math.floor(activity * next(60_000_000));
    return {
      tradedAt,
      publishedAt: tradedAt + next(3),
      price: decimalText(cents + priceAfter(demoMarkets.busy, hoursAt(tradedAt)), CENT_DIGITS),
      quantity: decimalText(satoshis, SATOSHI_DIGITS),
      id: draws.hex(),
      side: next(2) === 0 ? "buy" : "sell",
    };
  });
}

/** All trades of one slot of the busy market, ascending. */
function slotTrades(slotMs: number): Trade[] {
  const label = `trades/${demoMarkets.busy}/${slotMs}`;
  const startMs = flurryOf(slotMs);
  const count = drawInteger(`${label}/count`, FLURRY_MIN, FLURRY_MAX);
  const flurry = someTrades(label, { count, startMs, spanMs: FLURRY_MS, size: 1 });
  if ((slotMs / SLOT_MS) % SLOTS_PER_BURST !== 0) return flurry;
  const burst = { count: BURST_TRADES, startMs: startMs + FLURRY_MS, spanMs: 0, size: BURST_SIZE };
  return [...flurry, ...someTrades(`${label}/burst`, burst)];
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
 * The busy market's trades of a period, ascending by slots. Two periods that overlap have the same trades there, but
 * for those of each minute, which a period has in its last two hours.
 *
 * @param isKept whether a slot counts, by its beginning in epoch milliseconds.
 */
export function busyTrades(period: Period, isKept = (_slotMs: number): boolean => true): Trade[] {
  const lately = { fromMs: Math.max(period.fromMs, period.toMs - LATELY_MS), toMs: period.toMs };
  const minutes = slotsOf(lately, MINUTE_MS).flatMap((startMs) =>
    someTrades(`trades/${demoMarkets.busy}/minute/${startMs}`, {
      count: 1,
      startMs,
      spanMs: MINUTE_MS,
      size: MINUTE_SIZE,
    }),
  );
  return within(period, [...slotsOf(period, SLOT_MS).filter(isKept).flatMap(slotTrades), ...minutes]);
}

/** The sparse market's trades of a period, ascending. */
export function sparseTrades(period: Period): Trade[] {
  const trades = slotsOf(period, SPARSE_SLOT_MS).map((slotMs): Trade => {
    const label = `trades/${demoMarkets.sparse}/${slotMs}`;
    const tradedAt = slotMs + drawInteger(`${label}/at`, 0, SPARSE_SLOT_MS - 1);
    const cents = priceAt(demoMarkets.sparse, tradedAt);
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
