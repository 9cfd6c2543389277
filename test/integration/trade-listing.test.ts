import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { TradeStore } from "../../lib/trades/trade-store.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";
import { listAll, NOW, trade } from "../support/trades.ts";

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

  test("the store has the same ends of ranges and the same order of keys as we have", async () => {
    const bursts = [0, 5, 1_999, 2_000].flatMap((offset) =>
      Array.from({ length: 300 }, (_, n) => trade(n, NOW - 60_000 + offset)),
    );
    await putTrades(register, "ETH-USD", bursts);
    engine.settle();
    const window = { startMs: NOW - 60_000 + 5, endMs: NOW - 60_000 + 1_999 };
    const pages = await listAll(store, { symbol: "ETH-USD", window, limit: 200, now: NOW });
    expect(pages.map((page) => page.length)).toEqual([200, 200, 200]);
    expect(new Set(pages.flat().map(({ tradedAt }) => tradedAt))).toEqual(
      new Set([window.startMs, window.endMs]),
    );
  });
});
