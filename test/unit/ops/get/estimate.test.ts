import { describe, expect, test } from "vitest";
import type { Question } from "../../../../ops/get/download-files.ts";
import { estimateRest, estimateText, isLong } from "../../../../ops/get/estimate.ts";

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
