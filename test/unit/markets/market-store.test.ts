import type { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { MarketStore } from "../../../lib/markets/market-store.ts";
import { NOW } from "../../support/chain.ts";

const MARKET = Object.fromEntries(["aid", "anm", "pc", "pn", "qc", "qn"].map((name) => [name, { S: name }]));

/** A store of one market, with or without a list, on a clock that is moved by hand, and the keys that were read. */
function listing(symbols: readonly string[] | undefined) {
  const reads: string[] = [];
  let now = NOW;
  let isFailing = false;
  const clock = () => now;
  const items = new Map<string, object>([["market#BTC-USD", { id: { S: "market#BTC-USD" }, ...MARKET }]]);
  if (symbols !== undefined) items.set("markets", { symbols: { SS: symbols } });
  const send = async ({ input }: GetItemCommand) => {
    const id = input.Key?.id?.S ?? "";
    reads.push(id);
    if (isFailing) {
      isFailing = false;
      throw new Error("down");
    }
    return { Item: items.get(id), ConsumedCapacity: { CapacityUnits: 1 } };
  };
  const client = { send } as unknown as DynamoDBClient;
  return {
    reads,
    markets: new MarketStore({ client, name: "settings" }, clock, clock),
    fail: () => {
      isFailing = true;
    },
    pass: (ms: number) => {
      now += ms;
    },
    list: (symbol: string) => {
      items.set("markets", { symbols: { SS: [...(symbols ?? []), symbol] } });
      items.set(`market#${symbol}`, { id: { S: `market#${symbol}` }, ...MARKET });
    },
  };
}

describe("markets", () => {
  test("that do not exist cost one read a second, however many are asked for", async () => {
    const { markets, reads, pass } = listing(["BTC-USD"]);
    for (let n = 0; n < 2_000; n += 1) {
      expect(await markets.get(`AAA-B${String(n).padStart(4, "0")}`)).toBeUndefined();
      expect(await markets.similarTo(`aaa-b${n}`)).toBeUndefined();
      pass(2);
    }
    expect(reads).toEqual(["markets", "markets", "markets", "markets"]);
  });

  test("that are listed are found at the next question, a second after the list was read, under any spelling", async () => {
    const { markets, reads, pass, list } = listing(["BTC-USD"]);
    expect(await markets.get("BTC-USD")).toBeDefined();
    list("NEW-USD");
    pass(999);
    expect([await markets.get("NEW-USD"), await markets.similarTo("newusd")]).toEqual([undefined, undefined]);
    pass(1);
    expect(await markets.similarTo("newusd")).toBe("NEW-USD");
    expect((await markets.get("NEW-USD"))?.symbol).toBe("NEW-USD");
    expect(reads).toEqual(["markets", "market#BTC-USD", "markets", "market#NEW-USD"]);
  });

  test("that are listed cost one read of the list in five seconds", async () => {
    const { markets, reads, pass } = listing(["BTC-USD"]);
    for (let n = 0; n < 10; n += 1) {
      expect(await markets.get("BTC-USD")).toBeDefined();
      pass(1_000);
    }
    expect(reads).toEqual(["markets", "market#BTC-USD", "markets", "market#BTC-USD"]);
  });

  test("cost one read of the list when all are asked for at once, and are asked for again after it failed", async () => {
    const { markets, reads, fail } = listing(["BTC-USD"]);
    fail();
    const failing = Array.from({ length: 100 }, (_, n) => markets.get(`AAA-B${n}`));
    expect((await Promise.allSettled(failing)).filter(({ status }) => status === "fulfilled")).toEqual([]);
    const found = await Promise.all(
      ["BTC-USD", ...failing.map((_, n) => `AAA-B${n}`)].map((symbol) => markets.get(symbol)),
    );
    expect(found.flatMap((market) => market?.symbol ?? [])).toEqual(["BTC-USD"]);
    expect(reads).toEqual(["markets", "markets", "market#BTC-USD"]);
  });

  test("that exist are found meanwhile", async () => {
    const { markets, reads } = listing(["BTC-USD"]);
    for (let n = 0; n < 2_000; n += 1) await markets.get(`AAA-B${n}`);
    for (let n = 0; n < 3; n += 1) expect((await markets.get("BTC-USD"))?.symbol).toBe("BTC-USD");
    expect(reads).toEqual(["markets", "market#BTC-USD"]);
  });

  test.each(["btc-usd", "BTC-USD-X", "BTCUSD", `${"A".repeat(21)}-USD`, "BTC-USD\n", ""])(
    "of a name that cannot be a symbol cost no read, with a list or without: %j",
    async (symbol) => {
      for (const { markets, reads } of [listing([symbol]), listing(undefined)]) {
        expect(await markets.get(symbol)).toBeUndefined();
        expect(reads).toEqual([]);
      }
    },
  );

  test("are looked up one by one when a store has no list of them yet", async () => {
    const { markets, reads } = listing(undefined);
    expect((await markets.get("BTC-USD"))?.symbol).toBe("BTC-USD");
    expect(await markets.get("ETH-USD")).toBeUndefined();
    expect(reads).toEqual(["markets", "market#BTC-USD", "market#ETH-USD"]);
  });
});
