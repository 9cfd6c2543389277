import { DeleteItemCommand, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../../lib/clock.ts";
import { MarketRegister } from "../../../../lib/markets/market-register.ts";
import { MarketStore } from "../../../../lib/markets/market-store.ts";
import { cutSegments } from "../../../../lib/trades/segment.ts";
import { comparePlaces, type Trade } from "../../../../lib/trades/trade.ts";
import { tradeViolation } from "../../../../lib/trades/trade-rules.ts";
import { TradeStore } from "../../../../lib/trades/trade-store.ts";
import { FirstTrades } from "../../../../local/demo/first-trades.ts";
import { markerIds } from "../../../../local/demo/marker-ids.ts";
import {
  busyTrades,
  DEMO_SPAN_MS,
  demoMarkets,
  fewBusyTrades,
  sparseTrades,
} from "../../../../local/demo/trade-plan.ts";
import { continueDemoTrades, listDemoMarkets } from "../../../../local/demo/trades.ts";
import { type NearStore, openNearStore } from "../../../support/engine.ts";
import { DAY_MS, listAll, NOW, placeText, recordText } from "../../../support/trades.ts";

const period = { fromMs: NOW - DEMO_SPAN_MS, toMs: NOW };

/** Hours as a chart draws them. Figures of a test may be floats. */
const hoursOf = (trades: readonly Trade[]) =>
  [
    ...Map.groupBy(trades.toSorted(comparePlaces), ({ tradedAt }) =>
      Math.floor(tradedAt / 3_600_000),
    ).values(),
  ].map((hour) => {
    const prices = hour.map(({ price }) => Number(price));
    return {
      open: prices[0] ?? 0,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) ?? 0,
      volume: hour.reduce((sum, { quantity }) => sum + Number(quantity), 0),
    };
  });

describe("the plan of the demo's trades", () => {
  const trades = busyTrades(period);

  it("has at least 50,000 on the busy market, all of them good and each in a place of its own", () => {
    expect(trades.length).toBeGreaterThanOrEqual(50_000);
    expect(trades.map(tradeViolation).filter((violation) => violation !== undefined)).toEqual([]);
    expect(new Set(trades.map(placeText)).size).toBe(trades.length);
  });

  it("goes on to now, to within a minute or two", () => {
    const newest = Math.max(...trades.slice(-1_000).map(({ tradedAt }) => tradedAt));
    expect(newest).toBeLessThanOrEqual(NOW);
    expect(newest).toBeGreaterThan(NOW - 120_000);
  });

  it("has bursts of hundreds within one millisecond", () => {
    const counts = new Map<number, number>();
    for (const { tradedAt } of trades) counts.set(tradedAt, (counts.get(tradedAt) ?? 0) + 1);
    expect([...counts.values()].filter((count) => count > 250).length).toBeGreaterThan(20);
  });

  it("is cut into few enough segments for a quick start", () => {
    expect(cutSegments(trades, 0).length).toBeLessThan(1_800);
  });

  it("says the same of a period whatever period it is asked for with", () => {
    const part = { fromMs: NOW - 20 * DAY_MS + 1_234, toMs: NOW - 10 * DAY_MS };
    const inPart = ({ tradedAt }: { tradedAt: number }) => tradedAt >= part.fromMs && tradedAt <= part.toMs;
    const known = new Set(busyTrades(period).map(recordText));
    const flurries = busyTrades({ ...part, toMs: part.toMs + DAY_MS }).filter(inPart);
    expect(flurries.length).toBeGreaterThan(5_000);
    expect(flurries.filter((record) => !known.has(recordText(record)))).toEqual([]);
  });

  it("makes hours that open near where the last one closed, with bodies, wicks and volumes of their own", () => {
    const hours = hoursOf(trades);
    const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    const body = mean(hours.map(({ open, close }) => Math.abs(close - open)));
    const gaps = hours.slice(1).map(({ open }, at) => Math.abs(open - (hours[at]?.close ?? 0)));
    expect(mean(gaps)).toBeLessThan(body / 3);
    expect(Math.max(...gaps)).toBeLessThan(2 * body);
    // In whole dollars, at some 65,000 of them.
    expect(body).toBeGreaterThan(100);
    expect(body).toBeLessThan(500);
    const wicks = mean(hours.map(({ open, high, low, close }) => high - low - Math.abs(close - open)));
    expect(wicks).toBeGreaterThan(body / 3);
    const volumes = hours.map(({ volume }) => volume).toSorted((a, b) => a - b);
    const at = (part: number) => volumes[Math.floor(part * volumes.length)] ?? 0;
    expect(at(0.9)).toBeGreaterThan(3 * at(0.1));
    expect(at(0.999)).toBeLessThan(20 * at(0.5));
  });

  it("has a few on the sparse market", () => {
    expect(sparseTrades(period).length).toBeGreaterThan(30);
    expect(sparseTrades(period).length).toBeLessThan(50);
  });
});

describe("starting with them", () => {
  let engine: NearStore;
  let store: TradeStore;
  beforeAll(async () => {
    engine = await openNearStore();
    store = new TradeStore(engine.table("Trades"));
  });
  afterAll(() => engine.close());

  const start = (now: number, first?: FirstTrades) =>
    continueDemoTrades({
      client: engine.client,
      stage: "test",
      clock: () => now,
      first: first && { trades: first, fill: engine.fill },
    });
  const shown = async (symbol: string, endMs: number) =>
    (
      await listAll(store, {
        symbol,
        window: { startMs: endMs - 30 * DAY_MS, endMs },
        limit: 1_900,
        now: endMs + 10,
      })
    ).flat();

  it("writes all of them at first, and later those since the start before", async () => {
    await start(NOW, new FirstTrades(NOW));
    const first = await shown(demoMarkets.busy, NOW);
    const expected = busyTrades(period).filter(({ tradedAt }) => tradedAt >= NOW - 30 * DAY_MS);
    expect(first.map(recordText)).toEqual(expected.toSorted((a, b) => comparePlaces(b, a)).map(recordText));
    const later = NOW + 3 * DAY_MS;
    await start(later);
    const second = await shown(demoMarkets.busy, later);
    expect(second.filter(({ tradedAt }) => tradedAt > NOW).length).toBeGreaterThan(1_500);
    const kept = new Set(second.map(recordText));
    const lost = first.filter(
      (record) => record.tradedAt >= later - 30 * DAY_MS && !kept.has(recordText(record)),
    );
    expect(lost).toEqual([]);
  });

  it("fails when the thread that packs them ends early, and marks nothing as written", async () => {
    const { client, table } = engine;
    const ended = new FirstTrades(NOW);
    await ended.end();
    const marker = { TableName: table("Settings").name, Key: { id: { S: markerIds.trades } } };
    await client.send(new DeleteItemCommand(marker));
    await expect(start(NOW, ended)).rejects.toThrow("before it had packed all");
    expect((await client.send(new GetItemCommand(marker))).Item).toBeUndefined();
  });

  it("lists three markets, one of which has no trades", async () => {
    const markets = new MarketStore(engine.table("Settings"), systemClock);
    for (const symbol of Object.values(demoMarkets)) expect((await markets.get(symbol))?.symbol).toBe(symbol);
    expect(await shown(demoMarkets.empty, NOW)).toEqual([]);
    expect((await shown(demoMarkets.sparse, NOW)).length).toBeGreaterThan(10);
  });

  it("lists a market that a start before did not come to", async () => {
    const settings = engine.table("Settings");
    await new MarketRegister(settings).remove(demoMarkets.sparse);
    await listDemoMarkets({ client: engine.client, stage: "test" });
    const found = await new MarketStore(settings, systemClock).get(demoMarkets.sparse);
    expect(found?.symbol).toBe(demoMarkets.sparse);
  });
});

describe("a market with fewer trades", () => {
  const few = fewBusyTrades(period);
  const idsOf = (trades: readonly { readonly id: string }[]) => trades.map(({ id }) => id);

  it("has trades of the whole market alone, about a tenth of them, over the same time", () => {
    const all = busyTrades(period);
    const ids = new Set(idsOf(all));
    expect(idsOf(few).filter((id) => !ids.has(id))).toEqual([]);
    expect(few.length).toBeGreaterThan(all.length / 20);
    expect(few.length).toBeLessThan(all.length / 8);
    expect((few[0]?.tradedAt ?? 0) - period.fromMs).toBeLessThan(8 * DAY_MS);
  });

  it("has all of the last two days, and bursts before them", () => {
    const recent = { fromMs: period.toMs - 2 * DAY_MS, toMs: period.toMs };
    const ids = new Set(idsOf(few));
    expect(idsOf(busyTrades(recent)).filter((id) => !ids.has(id))).toEqual([]);
    const atOneInstant = Map.groupBy(
      few.filter(({ tradedAt }) => tradedAt < recent.fromMs),
      ({ tradedAt }) => tradedAt,
    );
    const largest = Math.max(...[...atOneInstant.values()].map(({ length }) => length));
    expect(largest).toBeGreaterThan(250);
  });
});
