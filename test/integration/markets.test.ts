import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";
import { NOW } from "../support/trades.ts";

describe.each(testedStores)("the list of markets on %s", (kind) => {
  let engine: Engine;
  let register: MarketRegister;
  beforeAll(async () => {
    engine = await startEngine(kind);
    register = new MarketRegister(engine.client, engine.tableName("Settings"));
  });
  afterAll(() => engine.close());

  test("a market is found at once, a change of it within five seconds, and what is not listed is not found", async () => {
    let now = NOW;
    const markets = new MarketStore(engine.client, engine.tableName("Settings"), () => now);
    expect(await markets.find("BTC-USD")).toBeUndefined();
    await register.put(marketOf("BTC-USD"));
    expect(await markets.find("BTC-USD")).toEqual(marketOf("BTC-USD"));
    await register.put(marketOf("BTC-USD", "Other name"));
    now += 4_999;
    expect((await markets.find("BTC-USD"))?.anm).toBe("Bitcoin");
    now += 1;
    expect((await markets.find("BTC-USD"))?.anm).toBe("Other name");
  });

  test("adding leaves a market that is there as it is, and the list has markets only", async () => {
    await register.put(marketOf("ETH-USD", "Mine"));
    expect(await register.add(marketOf("ETH-USD"))).toBe(false);
    expect(await register.add(marketOf("ADA-USD"))).toBe(true);
    const listed = await Array.fromAsync(register.list());
    expect(listed.map(({ symbol, anm }) => `${symbol} ${anm}`)).toEqual(
      expect.arrayContaining(["ETH-USD Mine", "ADA-USD Cardano"]),
    );
  });
});
