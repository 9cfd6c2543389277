import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { busyTrades } from "../../bench/support/busy-trades.ts";
import { SegmentTable } from "../../bench/support/segment-table.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { keyText, readSegment } from "../../lib/trades/read-segment.ts";
import { isWithdrawnAt } from "../../lib/trades/segment-columns.ts";
import { isWithdrawnPartition } from "../../lib/trades/segment-key.ts";
import { comparePlaces } from "../../lib/trades/trade.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { type StoredSegment, TradeStore } from "../../lib/trades/trade-store.ts";
import { withdrawTrades } from "../../ops/import/trades/withdraw-trades.ts";
import { compact, minuteOf } from "../../ops/segments/compact.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";
import { listAll, NOW, recordText } from "../support/trades.ts";

const SYMBOL = "BTC-USD";
const WINDOW = { startMs: NOW - 30 * 86_400_000, endMs: NOW };

describe.each(testedStores)("on %s", (kind) => {
  let engine: Engine;
  let store: TradeStore;
  let register: TradeRegister;
  beforeAll(async () => {
    engine = await startEngine(kind);
    store = new TradeStore(engine.table("Trades"));
    register = new TradeRegister(engine.table("Trades"));
  });
  afterAll(() => engine.close());

  const listed = async (): Promise<string[]> => {
    engine.settle();
    const pages = await listAll(store, { symbol: SYMBOL, window: WINDOW, limit: 1_900, now: NOW });
    return pages.flat().map(recordText);
  };

  test("a compacted market shows the same trades without a withdrawal in the way, and an import brings none back", async () => {
    const [good, wrong] = [busyTrades(200, 20, NOW, 1), busyTrades(800, 40, NOW, 2)];
    await putTrades(register, SYMBOL, [...good, ...wrong]);
    await withdrawTrades(register, SYMBOL, wrong, 1);
    const before = await listed();
    const newestFirst = good.toSorted((a, b) => comparePlaces(b, a));
    expect(before).toEqual(newestFirst.map(recordText));
    const compacted = await compact({
      store: register,
      symbol: SYMBOL,
      minutes: wrong.map(({ tradedAt }) => minuteOf(tradedAt)),
      clock: () => NOW,
      pause: async () => expect(await listed()).toEqual(before),
      stop: new AbortController().signal,
      report: () => {},
    });
    expect(compacted).toMatchObject({ tradeCount: wrong.length, leftCount: 0 });
    expect(await listed()).toEqual(before);
    const segments = await Array.fromAsync(register.list(SYMBOL));
    const inTheWay = segments
      .filter(({ partition }) => !isWithdrawnPartition(partition))
      .map(readSegment)
      .filter((it) => isWithdrawnAt(it, 0));
    expect([inTheWay.length, segments.length > 0]).toEqual([0, true]);
    expect(await putTrades(register, SYMBOL, [...good, ...wrong])).toMatchObject({
      withdrawn: wrong.length,
    });
    expect(await listed()).toEqual(before);
  });

  test("trades that came several times, a few at a time, are stored as one import stores them, and listed the same", async () => {
    const symbol = "ETH-USD";
    const trades = busyTrades(240, 30, NOW, 3);
    for (const each of [4, 9])
      for (let at = 0; at < trades.length; at += each)
        await putTrades(register, symbol, trades.slice(at, at + each));
    engine.settle();
    const before = (await listAll(store, { symbol, window: WINDOW, limit: 100, now: NOW })).flat();
    expect(before.map(recordText)).toEqual(trades.toSorted((a, b) => comparePlaces(b, a)).map(recordText));
    const compacted = await compact({
      store: register,
      symbol,
      minutes: trades.map(({ tradedAt }) => minuteOf(tradedAt)),
      clock: () => NOW,
      pause: async () => engine.settle(),
      stop: new AbortController().signal,
      report: () => {},
    });
    engine.settle();
    const canonical = new SegmentTable();
    await putTrades(canonical, symbol, trades);
    const keys = (segments: readonly StoredSegment[]) => segments.map(keyText).sort();
    expect(keys(await Array.fromAsync(register.list(symbol)))).toEqual(keys(canonical.segments));
    expect(compacted.segments.after).toBe(compacted.stretchCount);
    expect((await listAll(store, { symbol, window: WINDOW, limit: 100, now: NOW })).flat()).toEqual(before);
  });
});
