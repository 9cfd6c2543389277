import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { marketOf } from "../../../../../lib/markets/market.ts";
import type { Trade } from "../../../../../lib/trades/trade.ts";
import { type TradeFormat, tradeFormats } from "../../../../../ops/import/trades/formats.ts";
import type { ParsedLine } from "../../../../../ops/import/trades/trade-source.ts";

/** What every object has without anybody having put it there. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

const symbol = "BTC-USD";
const context = { symbol, market: marketOf(symbol), venue: "VENU" };

function parse(format: TradeFormat, ...lines: readonly string[]): ParsedLine[] {
  const parser = tradeFormats[format](context);
  return lines.map((line) => parser(line));
}

const tradesOf = (parsed: readonly ParsedLine[]): Trade[] =>
  parsed.flatMap((line) => ("trade" in line ? [line.trade] : []));

describe("the contract's own shape", () => {
  const record = { tdt: 1_795_554_000_000, p: "100.00", q: "0.10", tid: "0123456789abcdef0123456789abcdef" };
  const one = (changes: Record<string, unknown> = {}) =>
    parse("ndjson", JSON.stringify({ ...record, ...changes }))[0];

  test("a record as we serve it is read to the letter", () => {
    const constants = {
      aid: "BTC",
      anm: "Bitcoin",
      pc: "USD",
      pn: "MONE",
      qc: "BTC",
      qn: "UNIT",
      ve: "VENU",
      vp: "VENU",
    };
    expect(one({ ...constants, pdt: record.tdt + 5, s: "sell" })).toEqual({
      trade: {
        tradedAt: record.tdt,
        publishedAt: record.tdt + 5,
        price: "100.00",
        quantity: "0.10",
        id: record.tid,
        side: "sell",
      },
    });
  });

  test("a publication that is not told is the trade's own instant, never the time of reading", () => {
    expect(one()).toMatchObject({ trade: { publishedAt: record.tdt } });
  });

  test.each([
    [{ p: "1e-7" }, /^p must be .* without an exponent/],
    [{ p: 100.5 }, /^p must be a string/],
    [{ q: "-1" }, /^q must not be negative/],
    [{ tdt: "1795554000000" }, /^tdt must be whole epoch milliseconds/],
    [{ tdt: 1.5 }, /^tdt must be whole epoch milliseconds/],
    [{ tdt: undefined }, /^tdt is required/],
    [{ tid: "ABCDEF0123456789ABCDEF0123456789" }, /^tid must be 32 lower-case hex digits, a UUID/],
    [{ s: "BUY" }, /^s /],
    [{ aid: "ETH" }, /^aid must be "BTC"/],
    [{ ve: "SVCX" }, /^ve must be "VENU"/],
    [{ price: "1" }, /^price is not a member/],
  ])("%j is refused by name", (changes, reason) => {
    expect(one(changes)).toEqual({ refusal: expect.stringMatching(reason) });
  });

  test.each(INHERITED)("what every object has is no side and no member: %s", (name) => {
    expect(one({ s: name })).toEqual({ refusal: "s must be one of buy, sell" });
    expect(one({ [name]: 1 })).toEqual({ refusal: `${name} is not a member that the contract knows` });
  });

  test("numbers and UUIDs become ids by rule", () => {
    const id = (tid: unknown) => tradesOf([one({ tid })].filter((line) => line !== undefined))[0]?.id;
    expect(id(881_613)).toBe("00000000000000000000000000881613");
    expect(id("881613")).toBe("00000000000000000000000000881613");
    expect(id("6F1C2B0A-9D3E-4F5A-8B7C-0123456789AB")).toBe("6f1c2b0a9d3e4f5a8b7c0123456789ab");
  });
});

describe("Binance's dumps", () => {
  const row = "4512345678,65000.10,0.00100000,65.00010000,1732482000123,True,True";
  const micros = "4512345678,65000.10,0.00100000,65.00010000,1732482000123456,False,True";

  test("milliseconds and microseconds, with a heading or without, mean the same instant", () => {
    const heading = "id,price,qty,quote_qty,time,is_buyer_maker";
    const futures = row.slice(0, row.lastIndexOf(","));
    for (const lines of [[row], [micros], [heading, futures]]) {
      expect(tradesOf(parse("binance", ...lines))[0]).toMatchObject({
        tradedAt: 1_732_482_000_123,
        price: "65000.10",
        quantity: "0.00100000",
        id: "00000000000000000000004512345678",
      });
    }
  });

  test("where the buyer was the maker, the taker sold", () => {
    expect(tradesOf(parse("binance", row, micros)).map(({ side }) => side)).toEqual(["sell", "buy"]);
  });

  test("a heading decides which column is which", () => {
    const lines = ["time,id,qty,price,quoteQty,isBuyerMaker", "1732482000123,7,2,3.50,7.00,false"];
    expect(tradesOf(parse("binance", ...lines))[0]).toMatchObject({ price: "3.50", quantity: "2" });
  });

  test.each([
    ["1,2,3,4,5,6,7,8", /must have the columns id, price, .*, and may have isbestmatch$/],
    [
      "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker",
      /heading must name .*time/,
    ],
    ["1,65000,1e-7,1,1732482000123,true,true", /^q must be .* without an exponent/],
    ["1,65000,1,1,1732482000,true,true", /^time must /],
    ["x1,65000,1,1,1732482000123,true,true", /heading must name/],
    ["1,65000,1,1,1732482000123,yes,true", /^isBuyerMaker must /],
  ])("%s is refused", (line, reason) => {
    expect(parse("binance", line)[0]).toEqual({ refusal: expect.stringMatching(reason) });
  });
});

describe("Kraken's dumps", () => {
  test("seconds keep their milliseconds, whatever digits follow", () => {
    const lines = ["1381095255,122.0,0.1", "1381095255.1,122.0,0.1", "1381095255.123987,122.0,0.1"];
    expect(tradesOf(parse("kraken", ...lines)).map(({ tradedAt }) => tradedAt)).toEqual([
      1_381_095_255_000, 1_381_095_255_100, 1_381_095_255_123,
    ]);
  });

  const lines = [
    "1381095255,122.0,0.1",
    "1381095255,122.0,0.1",
    "1381095255,122.0,0.2",
    "1381095255,122.0,0.1",
  ];
  const ids = (given: readonly string[]) => tradesOf(parse("kraken", ...given)).map(({ id }) => id);

  test("two equal prints are two trades", () => {
    expect(new Set(ids(lines)).size).toBe(4);
  });

  test("the same file, a part of it, and an edition with other zeros have the same ids", () => {
    expect(ids(lines)).toEqual(ids(lines));
    expect(ids(lines)).toEqual(ids(lines.map((line) => `${line}000`)));
    expect(ids(lines)).toEqual(expect.arrayContaining(ids(lines.slice(1))));
  });

  test("milliseconds for seconds, and exponents, are refused", () => {
    expect(parse("kraken", "1381095255123,122.0,0.1")[0]).toEqual({
      refusal: expect.stringMatching(/^time must /),
    });
    expect(parse("kraken", "1381095255,1e-7,0.1")[0]).toEqual({
      refusal: expect.stringMatching(/^p must .*exponent/),
    });
  });

  test("a heading is no trade", () => {
    expect(parse("kraken", "time,price,volume")[0]).toEqual({ passedOver: "heading" });
  });
});

describe("Coinbase's match records", () => {
  const record = {
    trade_id: 7,
    product_id: symbol,
    side: "sell",
    size: "0.04",
    price: "14.7775",
    time: "2021-04-17T16:43:30.244075Z",
  };
  const one = (changes: Record<string, unknown> = {}) =>
    parse("coinbase", JSON.stringify({ ...record, ...changes }))[0];

  test("a maker that sold means a taker that bought", () => {
    expect(one()).toEqual({
      trade: {
        tradedAt: Date.UTC(2021, 3, 17, 16, 43, 30, 244),
        publishedAt: Date.UTC(2021, 3, 17, 16, 43, 30, 244),
        price: "14.7775",
        quantity: "0.04",
        id: "00000000000000000000000000000007",
        side: "buy",
      },
    });
    expect(one({ side: "buy" })).toMatchObject({ trade: { side: "sell" } });
  });

  test("records of other products are passed over, records without one are this market's", () => {
    expect(one({ product_id: "ETH-USD" })).toEqual({ passedOver: "other market" });
    expect(one({ product_id: undefined })).toHaveProperty("trade");
  });

  test.each([
    [{ price: 14.7 }, "trade"],
    [{ time: "yesterday" }, "refusal"],
    [{ side: "long" }, "refusal"],
    [{ type: "heartbeat" }, "refusal"],
    [{ trade_id: "x" }, "refusal"],
    [{ size: "1e-7" }, "refusal"],
  ])("%j is a %s", (changes, outcome) => {
    expect(one(changes)).toHaveProperty(outcome);
  });

  test.each(INHERITED)("a side that is called %s, as something that every object has, is refused", (side) => {
    expect(one({ side })).toEqual({ refusal: "side must be buy or sell" });
  });

  test("a line that is no JSON object is refused", () => {
    for (const line of ["{", "[]", "null", "7"]) expect(parse("coinbase", line)[0]).toHaveProperty("refusal");
  });
});

test("the parsers repeat nothing of a refused line but short numbers", () => {
  const secret = "4111111111111111";
  for (const format of ["ndjson", "coinbase", "binance", "kraken"] as const) {
    const [line] = parse(format, `{"p":"${secret}","tdt":"${secret}"}`);
    expect(JSON.stringify(line)).not.toContain(secret);
  }
});

test("no format reads a clock: its file says no word that would", () => {
  for (const name of ["binance", "kraken", "coinbase", "formats"]) {
    const text = readFileSync(`${import.meta.dirname}/../../../../../ops/import/trades/${name}.ts`, "utf8");
    expect(text).not.toMatch(/systemClock|Date\.now/);
  }
});
