import { describe, expect, test } from "vitest";
import { marketOf } from "../../../../../lib/markets/market.ts";
import type { Trade } from "../../../../../lib/trades/trade.ts";
import { type TradeFormat, tradeFormats } from "../../../../../ops/import/trades/formats.ts";
import type { ParsedLine } from "../../../../../ops/import/trades/trade-source.ts";

/** Names of members that every object inherits. */
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

  test("a record as we serve it is read exactly", () => {
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

  test("a missing time of publication is the trade's own instant, never the time of reading", () => {
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

  test.each(INHERITED)("an inherited member is neither a side nor a member: %s", (name) => {
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

test("members that the contract does not have are left out where that is asked for, and named", () => {
  const line = '{"tdt":1795554000000,"p":"1.0","q":"2","fee":{"a":1},"__proto__":1,"tid":"7","note":null}';
  const named: string[] = [];
  const parser = tradeFormats.ndjson({ ...context, onDropped: (member) => named.push(member) });
  expect(parser(line)).toMatchObject({ trade: { price: "1.0", quantity: "2", id: "7".padStart(32, "0") } });
  expect(named).toEqual(["fee", "__proto__", "note"]);
  expect(parser('{"tdt":1795554000000,"price":"1","q":"2"}')).toEqual({
    refusal: expect.stringMatching(/^p must be/),
  });
  expect(parse("ndjson", line)[0]).toEqual({ refusal: expect.stringMatching(/^fee is not a member/) });
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
        publishedAt: 1_732_482_000_123,
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
    ["1,2,3,4,5,6,7,8", /must have the columns id, price, .*, and may have isBestMatch$/],
    ["1,65000,1e-7,1,1732482000123,true,true", /^q must be .* without an exponent/],
    ["1,65000,1,1,1732482000,true,true", /^time must /],
    ["x1,65000,1,65000,1732482000123,true,true", /^id must be a number/],
    ["1,65000,1,6.5e4,1732482000123,true,true", /^quoteQty must be .* without an exponent/],
    ["1,65000,1,,1732482000123,true,true", /^quoteQty must be a plain decimal/],
    ["1,65000,1,1,1732482000123,yes,true", /^isBuyerMaker must /],
  ])("%s is refused", (line, reason) => {
    expect(parse("binance", line)[0]).toEqual({ refusal: expect.stringMatching(reason) });
  });
});

describe("a line of Binance's that contradicts itself", () => {
  const lineOf = (price: string, quantity: string, quote: string) =>
    `445123001,${price},${quantity},${quote},1682899200101,false`;

  test.each([
    ["contracts for coins", "29223.0", "6", "0.02053177"],
    ["a quote quantity in the place of the quantity", "29223.0", "175338", "6"],
    ["a quantity in the place of the price", "6", "0.02053177", "29223.0"],
    ["2 per cent less", "100", "1", "98"],
    ["2 per cent more", "100", "1", "102"],
    ["nothing for something", "100", "1", "0.00"],
    ["something for nothing", "100", "0", "2"],
  ])("is refused: %s", (_, price, quantity, quote) => {
    expect(parse("binance", lineOf(price, quantity, quote))[0]).toEqual({
      refusal: expect.stringMatching(/^quoteQty must be price times qty/),
    });
  });

  test.each([
    ["to the last digit", "65000.10", "0.00100000", "65.00010000"],
    ["rounded up", "65000.19", "0.00300000", "195.01"],
    ["rounded down", "65000.19", "0.00300000", "195.00"],
    ["with a last digit that is all there is", "0.00000003", "12", "0.0000003"],
    ["too little to be told", "0.00000001", "0.3", "0.00000000"],
    ["nothing", "0.5", "0", "0"],
    ["1 per cent off", "100", "1", "99"],
    ["of 38 digits", "9".repeat(19), "1".repeat(19), `${BigInt("9".repeat(19)) * BigInt("1".repeat(19))}`],
  ])("is not: %s", (_, price, quantity, quote) => {
    expect(parse("binance", lineOf(price, quantity, quote))[0]).toHaveProperty("trade");
  });
});

describe("headings", () => {
  const kraken = "1690000000,27000.1,0.5";
  const binance = "1,2.5,4,10,1732482000123,false";

  test.each([
    ["kraken", "timestamp,amount,price", "time, volume missing; timestamp, amount not known"],
    ["kraken", "time,price,volume,side", "side not known"],
    [
      "kraken",
      "time,open,high,low,close,volume,trades",
      "price missing; open, high, low, close, trades not known",
    ],
    ["kraken", "time,price,price,volume", "a column named twice"],
    ["kraken", ",time,price,volume", '"" not known'],
    [
      "kraken",
      "id,price,qty,quoteQty,time,isBuyerMaker",
      "volume missing; id, qty, quoteQty, isBuyerMaker not known",
    ],
    ["kraken", '"timestamp","amount","price"', "time, volume missing"],
    ["kraken", "Zeit,Preis,Menge", "time, price, volume missing"],
    ["kraken", "time", "price, volume missing"],
    ["binance", "id,price,qty,base_qty,time,is_buyer_maker", "quoteQty missing; base_qty not known"],
    ["binance", "id,price,qty,quote_qty,base_qty,time,is_buyer_maker", "base_qty not known"],
    [
      "binance",
      "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker",
      "id, qty, quoteQty, time missing",
    ],
    ["binance", "time,price,volume", "id, qty, quoteQty, isBuyerMaker missing; volume not known"],
  ] as const)("of another kind end %s's file: %s", (format, heading, violation) => {
    expect(parse(format, heading)[0]).toEqual({ unusable: expect.stringContaining(violation) });
  });

  test("are named in a form that is safe to print, and without card numbers", () => {
    const [line] = parse("kraken", "time\u009b,4111111111111111x,volume");
    expect(line).toHaveProperty("refusal");
    const [named] = parse("kraken", "time\u009b,x4111111111111111,volume");
    expect(JSON.stringify(named)).not.toMatch(/\u009b|4111/u);
    expect(named).toEqual({ unusable: expect.stringContaining('"time\\u{9b}", "x…", volume') });
  });

  test.each([
    ["kraken", "time,price,volume", kraken],
    ["kraken", "Time, Price, Volume", kraken],
    ["kraken", '"time","price","volume"', kraken],
    ["binance", "id,price,qty,quoteQty,time,isBuyerMaker,isBestMatch", `${binance},true`],
    ["binance", "id,price,qty,quote_qty,time,is_buyer_maker", binance],
  ] as const)(
    "of %s's own are read past, at the beginning and where files were joined: %s",
    (format, heading, row) => {
      const parsed = parse(format, heading, row, heading, row, heading);
      expect(parsed.map((line) => ("trade" in line ? "trade" : line))).toEqual([
        { passedOver: "heading" },
        "trade",
        { passedOver: "heading" },
        "trade",
        { passedOver: "heading" },
      ]);
    },
  );

  test("after rows without one must name the usual order, or the import ends", () => {
    expect(parse("kraken", kraken, "time,price,volume", kraken)[1]).toEqual({ passedOver: "heading" });
    expect(parse("binance", binance, "id,price,qty,quote_qty,time,is_buyer_maker")[1]).toEqual({
      passedOver: "heading",
    });
    expect(parse("kraken", kraken, "time,volume,price")[1]).toEqual({
      unusable: expect.stringContaining("another heading"),
    });
    expect(parse("kraken", "price,time,volume", "27000.1,1690000000,0.5", "time,price,volume")[2]).toEqual({
      unusable: expect.stringContaining("another heading"),
    });
  });

  test.each(["end of file", "# 3 rows", "total,,", "{}", "[1]"])(
    "are none that name nothing of the format: %s is refused by itself",
    (line) => {
      const [, refused, next] = parse("kraken", kraken, line, kraken);
      expect(refused).toEqual({ refusal: expect.stringMatching(/^the line must have/) });
      expect(next).toHaveProperty("trade");
    },
  );
});

describe("Kraken's dumps", () => {
  test("seconds keep their milliseconds, whatever digits follow", () => {
    const lines = ["1381095255,122.0,0.1", "1381095255.1,122.0,0.1", "1381095255.123987,122.0,0.1"];
    const instants = [1_381_095_255_000, 1_381_095_255_100, 1_381_095_255_123];
    expect(tradesOf(parse("kraken", ...lines))).toMatchObject(
      instants.map((instant) => ({ tradedAt: instant, publishedAt: instant })),
    );
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

  test.each([
    ["1381095255123,122.0,0.1", /^time must /],
    ["1381095255,1e-7,0.1", /^p must .*exponent/],
  ])("milliseconds for seconds, and exponents, are refused: %s", (line, reason) => {
    expect(parse("kraken", line)[0]).toEqual({ refusal: expect.stringMatching(reason) });
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

  test("records of other products are skipped, records without one are this market's", () => {
    expect(one({ product_id: "ETH-USD" })).toEqual({ passedOver: "other market", name: "ETH-USD" });
    expect(one({ product_id: undefined })).toHaveProperty("trade");
  });

  test.each([
    [{ price: 14.7 }, "trade"],
    [{ type: "match" }, "trade"],
    [{ type: "last_match" }, "trade"],
    [{ time: "yesterday" }, "refusal"],
    [{ side: "long" }, "refusal"],
    [{ trade_id: "x" }, "refusal"],
    [{ size: "1e-7" }, "refusal"],
  ])("%j is a %s", (changes, outcome) => {
    expect(one(changes)).toHaveProperty(outcome);
  });

  test.each(["subscriptions", "heartbeat", "ticker", "l2update", "error", "constructor", "MATCH"])(
    "messages of the type %s are skipped",
    (type) => {
      expect(parse("coinbase", JSON.stringify({ type }))).toEqual([{ passedOver: "other type", name: type }]);
      expect(one({ type })).toEqual({ passedOver: "other type", name: type });
    },
  );

  test.each(INHERITED)("a side that is called %s, as something that every object has, is refused", (side) => {
    expect(one({ side })).toEqual({ refusal: "side must be buy or sell" });
  });

  test("a line that is not a JSON object is refused", () => {
    for (const line of ["{", "[]", "null", "7"]) expect(parse("coinbase", line)[0]).toHaveProperty("refusal");
  });
});
