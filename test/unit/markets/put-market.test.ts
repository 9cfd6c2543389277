import { describe, expect, test } from "vitest";
import { type Market, marketOf } from "../../../lib/markets/market.ts";
import { checkMarket } from "../../../lib/markets/market-document.ts";
import { putMarket } from "../../../lib/markets/put-market.ts";

const reasonOf = (text: string) => {
  const checked = checkMarket(text);
  return checked.ok ? undefined : checked.reason;
};

describe("a market's document", () => {
  test("gives the market of its symbol, with the name of a well-known asset unless it names one", () => {
    expect(checkMarket('{"symbol":"BTC-USD"}')).toEqual({
      ok: true,
      value: { market: marketOf("BTC-USD"), isNamed: false },
    });
    expect(checkMarket('{"symbol":"BTC-USD","anm":"Gold 2"}')).toEqual({
      ok: true,
      value: { market: marketOf("BTC-USD", "Gold 2"), isNamed: true },
    });
  });

  test("is refused without a symbol, with another form of it or of the name, and with more members", () => {
    expect(reasonOf('{"anm":"Bitcoin"}')).toBe("symbol is required");
    expect(reasonOf('{"symbol":"btc"}')).toMatch(/^A market is BASE-QUOTE/);
    expect(reasonOf('{"symbol":"BTC-USD","anm":" x"}')).toMatch(/^An asset's name is one line/);
    expect(reasonOf('{"symbol":"BTC-USD","pc":"USD"}')).toBe("pc is not a member that the contract knows");
  });
});

describe("a market that is put", () => {
  const outcomeOf = async (text: string, listed?: Market) =>
    (await putMarket({ add: async () => listed === undefined }, { get: async () => listed }, text)).outcome;

  test("is new, or stays as it is, and is refused with another name", async () => {
    const listed = marketOf("BTC-USD", "Gold");
    expect(await outcomeOf('{"symbol":"BTC-USD"}')).toBe("written");
    expect(await outcomeOf('{"symbol":"BTC-USD"}', listed)).toBe("unchanged");
    expect(await outcomeOf('{"symbol":"BTC-USD","anm":"Gold"}', listed)).toBe("unchanged");
    expect(await outcomeOf('{"symbol":"BTC-USD","anm":"Bitcoin"}', listed)).toBe("refused");
    expect(await outcomeOf("{}")).toBe("refused");
  });
});
