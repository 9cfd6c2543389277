import { expect, test } from "vitest";
import { marketOf } from "../../../lib/markets/market.ts";

test("a market's constants follow from its symbol", () => {
  expect(marketOf("BTC-USD")).toEqual({
    symbol: "BTC-USD",
    aid: "BTC",
    anm: "Bitcoin",
    pc: "USD",
    pn: "MONE",
    qc: "BTC",
    qn: "UNIT",
  });
});

test("an asset is called by its code until it is given a name", () => {
  expect(marketOf("QQX-EUR").anm).toBe("QQX");
  expect(marketOf("QQX-EUR", "Quux Coin").anm).toBe("Quux Coin");
});

test.each([
  "btc-usd",
  "BTCUSD",
  "BTC-USD-X",
  "-USD",
  "BTC-",
  "BTC/USD",
  `${"A".repeat(21)}-USD`,
  "BTC-USD\n",
  "",
])("%j is not a market", (symbol) => {
  expect(() => marketOf(symbol)).toThrow(RangeError);
});

test.each(["", " Bitcoin", "Bit\ncoin", "B".repeat(101)])("%j is not an asset's name", (name) => {
  expect(() => marketOf("BTC-USD", name)).toThrow(RangeError);
});
