import type { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { MarketStore } from "../../../lib/markets/market-store.ts";
import { NOW } from "../../support/chain.ts";

const MARKET = Object.fromEntries(["aid", "anm", "pc", "pn", "qc", "qn"].map((name) => [name, { S: name }]));

/** A store of one market, with or without a list, on a clock that stands still, and the keys that were read. */
function listing(symbols: readonly string[] | undefined) {
  const reads: string[] = [];
  const items = new Map<string, object>([["market#BTC-USD", { id: { S: "market#BTC-USD" }, ...MARKET }]]);
  if (symbols !== undefined) items.set("markets", { symbols: { SS: symbols } });
  const send = async ({ input }: GetItemCommand) => {
    const id = input.Key?.id?.S ?? "";
    reads.push(id);
    return { Item: items.get(id), ConsumedCapacity: { CapacityUnits: 1 } };
  };
  const client = { send } as unknown as DynamoDBClient;
  return { reads, markets: new MarketStore({ client, name: "settings" }, () => NOW) };
}

describe("markets", () => {
  test("that do not exist cost one read in five seconds, however many are asked for", async () => {
    const { markets, reads } = listing(["BTC-USD"]);
    for (let n = 0; n < 2_000; n += 1) {
      expect(await markets.get(`AAA-B${String(n).padStart(4, "0")}`)).toBeUndefined();
      expect(await markets.similarTo(`aaa-b${n}`)).toBeUndefined();
    }
    expect(reads).toEqual(["markets"]);
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
