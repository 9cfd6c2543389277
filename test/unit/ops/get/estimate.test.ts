import { describe, expect, test } from "vitest";
import { utcText } from "../../../../lib/instant.ts";
import type { Question } from "../../../../ops/get/download-files.ts";
import { figuresOf } from "../../../../ops/get/download-watch.ts";
import { estimateRest, estimateText, isLong } from "../../../../ops/get/estimate.ts";
import { parseMoment } from "../../../../ops/get/moment.ts";

const DAY_MS = 86_400_000;
const TO = Date.parse("2026-11-28T00:00:00Z");
const trades = (days: number, limit?: number): Question => ({
  get: "trades",
  symbol: "BTC-USD",
  from: new Date(TO - days * DAY_MS).toISOString(),
  to: new Date(TO).toISOString(),
  ...(limit !== undefined && { limit }),
});

/** What the first page showed: so many records in the newest day. */
const seen = (records: number) => ({ records, reachedMs: TO - DAY_MS });

describe("an estimate of trades", () => {
  test("costs a token for each day where trades are sparse, in windows of 30 days at most", () => {
    expect(estimateRest(trades(61), seen(2))).toEqual({ records: 120, calls: 2, tokens: 60, atLeastMs: 0 });
  });

  test("costs a token for each page where a day has more than one", () => {
    expect(estimateRest(trades(11), seen(19_000))).toEqual({
      records: 190_000,
      calls: 100,
      tokens: 100,
      atLeastMs: 0,
    });
  });

  test("takes the time in which the tokens above the full bucket come back", () => {
    expect(estimateRest(trades(101), seen(1))?.atLeastMs).toBe(0);
    expect(estimateRest(trades(102), seen(1))?.atLeastMs).toBe(10);
    expect(estimateRest(trades(3_001), seen(1))?.atLeastMs).toBe(120_000);
  });

  test("ends at the limit", () => {
    expect(estimateRest(trades(61, 500), seen(100))).toMatchObject({ records: 400, tokens: 4 });
    expect(estimateRest(trades(61, 100), seen(100))).toBeUndefined();
  });

  test("is not given when everything was read", () => {
    expect(estimateRest(trades(1), seen(5))).toBeUndefined();
  });

  test("is asked about from a million records on, or ten minutes", () => {
    expect(isLong({ records: 999_999, calls: 1, tokens: 1, atLeastMs: 599_999 })).toBe(false);
    expect(isLong({ records: 1_000_000, calls: 1, tokens: 1, atLeastMs: 0 })).toBe(true);
    expect(isLong({ records: 1, calls: 1, tokens: 1, atLeastMs: 600_000 })).toBe(true);
  });

  test("says what is known and what is guessed", () => {
    const question = trades(3_001);
    expect(estimateText(question, estimateRest(question, seen(1)))).toBe(
      "Known: 3,001 days up to 2026-11-28T00:00, 3,001 tokens at least.\n" +
        "Guess: about 3,000 more trades, 100 calls and 3,000 tokens;\n" +
        "2 min 0 s at least until so many tokens have come back.",
    );
  });
});

describe("an estimate of transactions", () => {
  const transactions: Question = { get: "transactions", to: new Date(TO).toISOString() };

  test("counts pages of 1,000, and cannot be given without a beginning", () => {
    const from = new Date(TO - 11 * DAY_MS).toISOString();
    expect(estimateRest({ ...transactions, from }, seen(1_000))).toMatchObject({
      records: 10_000,
      tokens: 10,
    });
    expect(estimateRest(transactions, seen(1_000))).toBeUndefined();
    expect(estimateText(transactions, undefined)).toContain("give --from");
  });
});

const question = trades(10);
const figures = (asked: Question, records: number, reached: string) =>
  figuresOf(asked, { records, reachedMs: Date.parse(reached) });

test("the share of a download is that of its time, and never more than all of it", () => {
  expect(figures(question, 0, question.to)).toEqual({
    records: "0 trades",
    instant: "2026-11-28 00:00",
    share: 0,
  });
  expect(figures(question, 12_345, "2026-11-23T00:00:00Z")).toEqual({
    records: "12,345 trades",
    instant: "2026-11-23 00:00",
    share: 0.5,
  });
  expect(figures(question, 5, "2026-11-17T23:59:59.999Z")).toMatchObject({
    instant: "2026-11-18 00:00",
    share: 1,
  });
});

test("a limit may be reached before the time is", () => {
  expect(figures({ ...question, limit: 10 }, 9, "2026-11-27T00:00:00Z").share).toBe(0.9);
  expect(figures({ ...question, limit: 10 }, 1, "2026-11-23T00:00:00Z").share).toBe(0.5);
});

test("without a beginning and a limit there is no share", () => {
  const asked: Question = { get: "transactions", to: question.to };
  expect(figures(asked, 7, "2026-11-23T00:00:00Z").share).toBeUndefined();
});

const NOW = Date.parse("2026-11-28T12:00:00.250Z");

describe("a moment", () => {
  test.each([
    ["2026-11-01", "2026-11-01T00:00:00Z"],
    ["2026-11-01T10:00:00+02:00", "2026-11-01T08:00:00Z"],
    ["2026-11-01T10:00:00.123456Z", "2026-11-01T10:00:00.123456Z"],
    ["1795554000000", "2026-11-24T21:00:00.000Z"],
    ["12h", "2026-11-28T00:00:00.250Z"],
    ["30d", "2026-10-29T12:00:00.250Z"],
    ["1w", "2026-11-21T12:00:00.250Z"],
    ["99999w", "1970-01-01T00:00:00.000Z"],
  ])("%s is %s", (text, instant) => {
    expect(utcText(parseMoment(text, NOW))).toBe(instant);
  });

  test.each(["", "yesterday", "0d", "1y", "-1d"])("%j is refused with the forms that are taken", (text) => {
    expect(() => parseMoment(text, NOW)).toThrow("Give a date such as");
  });

  test.each([
    ["2026-02-30", "There is no such day: 2026-02-30."],
    ["2026-11-01T10:00:00", "Has no zone: add Z, or an offset such as +01:00."],
    ["1795554000", "Looks like epoch seconds; send 2026-11-24T21:00:00Z instead."],
  ])("%j is refused by its slip", (text, message) => expect(() => parseMoment(text, NOW)).toThrow(message));
});
