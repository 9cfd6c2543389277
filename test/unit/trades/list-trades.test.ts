import * as fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { SegmentTable } from "../../../bench/support/segment-table.ts";
import type { AdmittedRequest } from "../../../lib/http/plan.ts";
import type { Answer } from "../../../lib/http/respond.ts";
import { isSymbol, marketOf } from "../../../lib/markets/market.ts";
import { listTrades as contract, PAGE_TRADES_MAX } from "../../../lib/trades/contract.ts";
import { planListTrades } from "../../../lib/trades/list-trades.ts";
import { putTrades } from "../../../lib/trades/put-trades.ts";
import type { Trade } from "../../../lib/trades/trade.ts";
import { askTrades, DAY_MS, NOW, trade } from "../../support/trades.ts";

type Query = AdmittedRequest<typeof contract>["query"];

const WEEK_MS = 7 * DAY_MS;

const log = (): void => {};

let table: SegmentTable;
let now: number;
let costs: number[];
beforeEach(() => {
  table = new SegmentTable();
  now = NOW;
  costs = [];
});

/** The endpoint of two markets in USD, with a limiter that admits everything. */
function get(query: string, symbol = "BTC-USD") {
  const clock = () => now;
  const markets = {
    get: async (given: string) => (isSymbol(given) && given.endsWith("-USD") ? marketOf(given) : undefined),
    similarTo: async (given: string) => (/^btc.?usd$/i.test(given) ? "BTC-USD" : undefined),
  };
  const charge = async (_owner: string, cost: number) => {
    costs.push(cost);
    return { waitMs: 0, headers: {} };
  };
  return askTrades({ segments: table, clock, markets, charge }, query, symbol);
}

const write = (trades: readonly Trade[]) => putTrades(table, "BTC-USD", trades);
const tdts = (answer: { data: { tdt: number }[] }) => answer.data.map(({ tdt }) => tdt);

describe("an answer", () => {
  test("is the contract's text, member for member", async () => {
    const id = "0123456789abcdef0123456789abcdef";
    const record = { id, price: "100.00", quantity: "0.0000001", publishedAt: NOW - 4 };
    await write([trade(1, NOW - 5, { ...record, side: "sell" })]);
    const { text, status } = await get("");
    expect(status).toBe(200);
    expect(text).toBe(
      `{"data":[{"tdt":${NOW - 5},"aid":"BTC","anm":"Bitcoin","p":"100.00","pc":"USD","pn":"MONE","q":"0.0000001","qc":"BTC",` +
        `"qn":"UNIT","ve":"VENU","pdt":${NOW - 4},"vp":"VENU","tid":"${id}","s":"sell"}],"metadata":{"timestamp":${NOW}}}`,
    );
  });

  test("leaves out an unknown side", async () => {
    const { side: _, ...sideless } = trade(1, NOW - 5);
    await write([sideless]);
    expect(Object.keys((await get("")).data[0])).not.toContain("s");
  });

  test("without trades is an empty list and nothing to continue", async () => {
    expect((await get("")).text).toBe(`{"data":[],"metadata":{"timestamp":${NOW}}}`);
  });
});

describe("walking by cursor", () => {
  const oldest = NOW - WEEK_MS;
  beforeEach(async () => {
    await write([NOW, NOW - 10, NOW - 20, NOW - 2 * DAY_MS, oldest].map((tdt, n) => trade(n, tdt)));
  });

  test("without dates the window of the first page stays, while time goes on and trades come in", async () => {
    const first = await get("limit=2");
    now += 1_000;
    await write([trade(9, NOW + 900)]);
    now += 500;
    const second = await get(`limit=2&cursor=${first.metadata.next_cursor}`);
    now += 1_500;
    const third = await get(`limit=2&cursor=${second.metadata.next_cursor}`);
    expect([first, second, third].map(tdts)).toEqual([
      [NOW, NOW - 10],
      [NOW - 20, NOW - 2 * DAY_MS],
      [oldest],
    ]);
    expect(third.metadata).toEqual({ timestamp: now });
    expect(costs).toEqual([7, 7, 7]);
  });

  test("the limit may change, and the dates may be repeated or left out", async () => {
    const dates = `start_date=${oldest}&end_date=${NOW}`;
    const cursor = (await get(`${dates}&limit=1`)).metadata.next_cursor;
    for (const query of [dates, `end_date=${NOW}`, "limit=1900"]) {
      const page = await get(`${query}&cursor=${cursor}`);
      expect(page.status).toBe(200);
      expect(tdts(page)).toEqual([NOW - 10, NOW - 20, NOW - 2 * DAY_MS, oldest]);
    }
  });

  test.each([
    ["another end", `end_date=${NOW - 1}`, "BTC-USD"],
    ["another start", "start_date=0", "BTC-USD"],
    ["another symbol", "", "ETH-USD"],
  ])("%s is refused, costs nothing and reads nothing", async (_, query, symbol) => {
    const cursor = (await get("limit=1")).metadata.next_cursor;
    costs = [];
    table.resetCounts();
    const answer = await get(`${query}&cursor=${cursor}`, symbol);
    expect(answer).toMatchObject({ status: 400, code: "invalid_cursor" });
    expect([costs, table.questions]).toEqual([[], []]);
  });
});

describe("whatever the clock does between pages,", () => {
  const made = Array.from({ length: 12 }, (_, n) => trade(n, NOW - n * 1_000));
  const ahead = Array.from({ length: 12 }, (_, n) =>
    trade(20 + n, NOW - n * 1_000 - 500, { publishedAt: NOW + 1 + n * 600_000 }),
  );

  /** Lists with a clock that is this far ahead at each page in turn, in a cycle. Refusals appear by their codes. */
  async function listBy(jumps: readonly number[], limit: number): Promise<readonly (number | string)[]> {
    const shown: (number | string)[] = [];
    let cursor = "";
    for (let page = 0; page < 40; page += 1) {
      now = NOW + (page === 0 ? 0 : (jumps[page % jumps.length] ?? 0));
      const answer = await get(`limit=${limit}${cursor}`);
      if (answer.status !== 200) return [...shown, answer.code];
      shown.push(...tdts(answer));
      if (answer.metadata.next_cursor === undefined) return shown;
      cursor = `&cursor=${answer.metadata.next_cursor}`;
    }
    throw new Error("The listing does not end.");
  }

  test("a listing shows what was published when it began", async () => {
    await write([...made, ...ahead]);
    const whole = made.map(({ tradedAt }) => tradedAt);
    const jumps = fc.array(fc.integer({ min: 0, max: DAY_MS }), { minLength: 1, maxLength: 6 });
    const listings = fc.asyncProperty(jumps, fc.integer({ min: 1, max: 7 }), async (...given) => {
      expect(await listBy(...given)).toEqual(whole);
    });
    await fc.assert(listings);
  });

  test("a listing is refused when the clock is set back by more than five seconds, because it would have a hole", async () => {
    await write([...made, ...ahead]);
    const first = made.slice(0, 5).map(({ tradedAt }) => tradedAt);
    for (const backMs of [5_001, 60_000, 3_600_000])
      expect(await listBy([-backMs], 5)).toEqual([...first, "invalid_cursor"]);
    expect(await listBy([-5_000], 5)).toHaveLength(12);
  });
});

describe("parameters", () => {
  const limits = ["0", "1901", "", "10abc"].map((text) => ["limit", text]);
  const dates = ["2026-11-24T00:00:00Z", "", "8640000000000001", "1795554000000,1795554000001"];
  test.each([...limits, ...dates.map((text) => ["start_date", text])])(
    "%s=%s is refused by name",
    async (name, text) => {
      const { status, code, message } = await get(`${name}=${text}`);
      expect([status, code, message.split(": ")[0]]).toEqual([400, "validation_error", name]);
      expect(costs).toEqual([]);
    },
  );

  test.each(["1", "1900"])("limit=%s is allowed", async (limit) => {
    expect((await get(`limit=${limit}`)).status).toBe(200);
  });

  test("instants of any other length, 0 included, give an empty list", async () => {
    const instants = [0, 1, 999_999_999, 1e10, 999_999_999_999, 1e13, 999_999_999_999_999];
    for (const instant of instants)
      for (const query of [`end_date=${instant}`, `start_date=${instant}`])
        expect((await get(query)).text).toBe(`{"data":[],"metadata":{"timestamp":${NOW}}}`);
    expect(costs).toEqual(instants.flatMap(() => [7, 7]));
  });

  test.each([
    ["start_date", "1795467600", "seconds"],
    ["end_date", "1795554000", "seconds"],
    ["start_date", "1000000000", "seconds"],
    ["end_date", "9999999999", "seconds"],
    ["start_date", "1795467600000000", "microseconds"],
    ["end_date", "1000000000000000", "microseconds"],
    ["end_date", "9999999999999999", "microseconds"],
    ["start_date", "1795467600000000000", "nanoseconds"],
  ])("%s=%s is taken for %s, costs nothing and reads nothing", async (name, value, unit) => {
    const message = `${name}: looks like ${unit}; epoch milliseconds are meant.`;
    expect(await get(`${name}=${value}`)).toMatchObject({ status: 400, message });
    expect([costs, table.questions]).toEqual([[], []]);
  });

  test.each([
    ["startDate", "; did you mean start_date?"],
    ["end", "; did you mean end_date?"],
    ["limit[]", "; did you mean limit?"],
    ["count", ", which takes start_date, end_date, cursor, limit."],
  ])("%s is not a parameter, costs nothing and reads nothing", async (name, hint) => {
    const message = `${name}: is not a parameter of this endpoint${hint}`;
    expect(await get(`${name}=1`)).toMatchObject({ status: 400, code: "validation_error", message });
    expect([costs, table.questions]).toEqual([[], []]);
  });

  test("a reversed range, and seconds beside milliseconds, are refused and cost nothing", async () => {
    for (const dates of [
      [NOW, NOW - 1],
      [NOW / 1000, NOW],
      [NOW - 30 * DAY_MS - 1, NOW],
    ]) {
      expect((await get(`start_date=${dates[0]}&end_date=${dates[1]}`)).code).toBe("validation_error");
    }
    expect(costs).toEqual([]);
  });

  test.each([
    ["BTC-EUR", "No such pair: BTC-EUR"],
    ["btc-usd", "No such pair: btc-usd; did you mean BTC-USD?"],
    ["BTCUSD", "No such pair: BTCUSD; did you mean BTC-USD?"],
    ["BTC/USD", "No such pair: BTC/USD; did you mean BTC-USD?"],
    ["", "No such pair: "],
    [`${"A".repeat(500)}-USD`, `No such pair: ${"A".repeat(41)}`],
  ])("the symbol %s is unknown, and costs nothing", async (symbol, message) => {
    expect(await get("", symbol)).toMatchObject({ status: 400, code: "unknown_symbol", message });
    expect(costs).toEqual([]);
  });
});

/** A request for a page as the chain passes it to the plan. */
const requestOf = (symbol: string, query: Query): AdmittedRequest<typeof contract> => ({
  path: { symbol },
  query,
  principal: { owner: "desk", scopes: [] },
  headers: {},
  rawQuery: "",
});

function bodyOf(answer: Answer): string {
  if ("notModified" in answer) throw new Error("A list is never said to be unchanged.");
  return answer.body;
}

describe("a request is read once:", () => {
  /** The plan of a request whose answer begins a minute after it was planned. */
  async function answerLate(query: Partial<Query>, symbol = "BTC-USD") {
    const getStored = vi.fn(async (given: string) => marketOf(given));
    const clock = vi.fn(() => now);
    const markets = { get: getStored, similarTo: async () => undefined };
    const plan = planListTrades({ markets, segments: table, venue: "VENU", clock, log });
    const { cost, answer } = await plan(requestOf(symbol, { limit: 10, ...query }));
    const readings = clock.mock.calls.length;
    now += 60_000;
    const { data, metadata } = JSON.parse(bodyOf(await answer()));
    return { cost, data, metadata, readings, lookUps: getStored.mock.calls.length };
  }

  test("the window that is charged is the one that is read, however long the charge takes", async () => {
    await write([trade(1, NOW), trade(2, NOW - WEEK_MS), trade(3, NOW + 1), trade(4, NOW - WEEK_MS - 1)]);
    const { cost, data, readings } = await answerLate({});
    expect(tdts({ data })).toEqual([NOW, NOW - WEEK_MS]);
    expect([cost, readings]).toEqual([7, 1]);
  });

  test("its market is looked up once and the clock is read once, with a cursor too, and the answer has its own timestamp", async () => {
    await write([trade(1, NOW), trade(2, NOW - 10)]);
    const cursor: string = (await get("limit=1")).metadata.next_cursor;
    const { cost, data, metadata, readings, lookUps } = await answerLate({ cursor });
    expect(tdts({ data })).toEqual([NOW - 10]);
    expect([cost, readings, lookUps]).toEqual([7, 1, 1]);
    expect(metadata).toEqual({ timestamp: NOW + 60_000 });
  });

  test("the shortest window costs one token, and the longest costs the contract's maximum", async () => {
    const costsOf = async (spanMs: number) =>
      (await answerLate({ start_date: NOW - spanMs, end_date: NOW })).cost;
    expect([await costsOf(0), await costsOf(30 * DAY_MS)]).toEqual([1, contract.limit.costMax]);
    await expect(costsOf(30 * DAY_MS + 1)).rejects.toMatchObject({ code: "validation_error" });
  });
});

test("once whole pages have shown how full segments are, a page takes one query", async () => {
  await write(Array.from({ length: 3_000 }, (_, n) => trade(n, NOW - DAY_MS - n * 33)));
  const dates = { start_date: NOW - 2 * DAY_MS, end_date: NOW - DAY_MS };
  const markets = { get: async (given: string) => marketOf(given), similarTo: async () => undefined };
  const plan = planListTrades({ markets, segments: table, venue: "VENU", clock: () => now, log });
  const queriesOf = async (limit: number): Promise<number> => {
    table.resetCounts();
    const { answer } = await plan(requestOf("BTC-USD", { ...dates, limit }));
    expect(JSON.parse(bodyOf(await answer())).data).toHaveLength(limit);
    return table.questions.length;
  };
  expect(await queriesOf(1_000)).toBe(2);
  expect(await queriesOf(1_000)).toBe(1);
  const { readUnits } = table;
  expect(await queriesOf(1)).toBe(1);
  expect(await queriesOf(1_000)).toBe(1);
  expect(table.readUnits).toBe(readUnits);
});

test("the largest page of the longest records fits the answer of a function, quotes and backslashes twice", async () => {
  const [symbol, digits] = [`${"A".repeat(20)}-${"B".repeat(20)}`, `0.${"7".repeat(37)}`];
  const longest = Array.from({ length: PAGE_TRADES_MAX }, (_, n) =>
    trade(n, NOW - n, { price: digits, quantity: digits, side: "sell" }),
  );
  await putTrades(table, symbol, longest);
  const clock = () => NOW;
  for (const name of ['"', "\\", "𝄞"].map((character) => character.repeat(100 / character.length))) {
    const markets = { get: async () => marketOf(symbol, name), similarTo: async () => undefined };
    const plan = planListTrades({ markets, segments: table, venue: "V".repeat(20), clock, log });
    const { answer } = await plan(requestOf(symbol, { limit: PAGE_TRADES_MAX }));
    const body = bodyOf(await answer());
    expect(JSON.parse(body).data).toHaveLength(PAGE_TRADES_MAX);
    expect(Buffer.byteLength(JSON.stringify({ body }))).toBeLessThan(6_000_000);
    // As Base64, when the text does not compress at all.
    expect((Buffer.byteLength(body) * 4) / 3).toBeLessThan(6_000_000);
  }
});
