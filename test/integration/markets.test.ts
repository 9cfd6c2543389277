import { DeleteItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
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
    register = new MarketRegister(engine.table("Settings"));
  });
  afterAll(() => engine.close());

  const readMarkets = (clock = () => NOW) => new MarketStore(engine.table("Settings"), clock, clock);

  test("a store without markets finds none, and then the first one at once", async () => {
    const markets = readMarkets();
    expect([await markets.get("BTC-USD"), await markets.similarTo("btcusd")]).toEqual([undefined, undefined]);
    await register.put(marketOf("BTC-USD"));
    expect(await markets.get("BTC-USD")).toEqual(marketOf("BTC-USD"));
  });

  test("a market is found within a second, a change of it within five, and an unlisted market is not found", async () => {
    let now = NOW;
    const markets = readMarkets(() => now);
    await register.put(marketOf("BTC-USD"));
    expect(await markets.get("BTC-USD")).toEqual(marketOf("BTC-USD"));
    expect(await markets.get("LTC-USD")).toBeUndefined();
    await register.put(marketOf("LTC-USD"));
    now += 999;
    expect(await markets.get("LTC-USD")).toBeUndefined();
    now += 1;
    expect(await markets.get("LTC-USD")).toEqual(marketOf("LTC-USD"));
    expect((await markets.get("BTC-USD"))?.anm).toBe("Bitcoin");
    await register.put(marketOf("BTC-USD", "Other name"));
    now += 3_999;
    expect((await markets.get("BTC-USD"))?.anm).toBe("Bitcoin");
    now += 1;
    expect((await markets.get("BTC-USD"))?.anm).toBe("Other name");
  });

  test.each([
    ["sol-eur", "SOL-EUR"],
    ["SOLEUR", "SOL-EUR"],
    ["sol_eur", "SOL-EUR"],
    ["SOL/EUR", "SOL-EUR"],
    ["SO-LEUR", "SOL-EUR"],
    ["SOL-EURO", undefined],
    ["-", undefined],
    ["", undefined],
  ])("the listed symbol that %j spells in another way is %s", async (given, listed) => {
    await register.add(marketOf("SOL-EUR"));
    expect(await readMarkets().similarTo(given)).toBe(listed);
  });

  test("markets that were listed before there was a list of them come onto it with the next one", async () => {
    const TableName = engine.tableName("Settings");
    await register.put(marketOf("OLD-USD"));
    await engine.client.send(new DeleteItemCommand({ TableName, Key: { id: { S: "markets" } } }));
    expect(await readMarkets().get("OLD-USD")).toEqual(marketOf("OLD-USD"));
    await Promise.all(["NEW-USD", "NEW-EUR", "NEW-GBP"].map((symbol) => register.add(marketOf(symbol))));
    const markets = readMarkets();
    for (const symbol of ["OLD-USD", "NEW-USD", "NEW-EUR", "NEW-GBP"])
      expect(await markets.get(symbol)).toEqual(marketOf(symbol));
  });

  test("a market whose listing was cut off is listed by adding it again", async () => {
    await register.add(marketOf("CUT-USD"));
    const command = new UpdateItemCommand({
      TableName: engine.tableName("Settings"),
      Key: { id: { S: "markets" } },
      UpdateExpression: "DELETE #symbols :symbols",
      ExpressionAttributeNames: { "#symbols": "symbols" },
      ExpressionAttributeValues: { ":symbols": { SS: ["CUT-USD"] } },
    });
    await engine.client.send(command);
    expect(await readMarkets().get("CUT-USD")).toBeUndefined();
    expect(await register.add(marketOf("CUT-USD"))).toBe(false);
    expect(await readMarkets().get("CUT-USD")).toEqual(marketOf("CUT-USD"));
  });

  test("a market says who listed or changed it last, and when, if that was kept", async () => {
    const set = { at: NOW, by: "local:ada" };
    await register.add(marketOf("SET-USD"), set);
    await register.add(marketOf("SET-USD"), { at: NOW + 1, by: "local:bob" });
    await register.add(marketOf("OLD-USD"));
    const listed = async (symbol: string) =>
      (await Array.fromAsync(register.list())).find((market) => market.symbol === symbol);
    expect((await listed("SET-USD"))?.set).toEqual(set);
    expect(await listed("OLD-USD")).not.toHaveProperty("set");
    await register.put(marketOf("SET-USD", "Set"), { at: NOW + 2, by: "local:bob" });
    expect((await listed("SET-USD"))?.set).toEqual({ at: NOW + 2, by: "local:bob" });
    expect(await readMarkets().get("SET-USD")).toEqual(marketOf("SET-USD", "Set"));
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
