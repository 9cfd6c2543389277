import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rateLimitHeaders } from "../../../../lib/rate-limit/rate-limit-headers.ts";
import { bucketsOf, charge, type FullAgainAt, tokensLeft } from "../../../../lib/rate-limit/token-bucket.ts";
import { leftText } from "../../../../page/src/market/countdown.ts";
import { gaugesOf, isFullAt, shortBuckets, tokensAt } from "../../../../page/src/market/gauges.ts";

const headersOf = ({ second, minute }: { readonly second: number; readonly minute: number }) =>
  new Headers({
    "RateLimit-Policy": '"second";q=100;w=1, "minute";q=1000;w=60',
    RateLimit: `"second";r=${second};t=1, "minute";r=${minute};t=60`,
  });
const HEADERS = headersOf({ second: 70, minute: 0 });

describe("a gauge", () => {
  test("shows what the answer says of each bucket", () => {
    expect(gaugesOf(HEADERS, 5)).toEqual([
      { name: "second", burst: 100, fillMs: 1_000, left: 70, atMs: 5 },
      { name: "minute", burst: 1_000, fillMs: 60_000, left: 0, atMs: 5 },
    ]);
  });

  test.each([
    ["no headers", {}],
    ["no policy", { RateLimit: '"second";r=1;t=1' }],
    ["no state", { "RateLimit-Policy": '"second";q=100;w=1' }],
    ["an empty bucket", { "RateLimit-Policy": '"second";q=0;w=1', RateLimit: '"second";r=0;t=1' }],
  ])("is not shown by an answer with %s", (_, headers) => {
    expect(gaugesOf(new Headers(headers), 0)).toEqual([]);
  });

  test("refills by the policy, token by token, until it is full", () => {
    const [second, minute] = gaugesOf(HEADERS, 1_000);
    if (second === undefined || minute === undefined) throw new Error("There are two buckets.");
    expect([1_000, 1_009, 1_010, 1_299, 1_300, 9_999].map((now) => tokensAt(second, now))).toEqual([
      70, 70, 71, 99, 100, 100,
    ]);
    expect([1_059, 1_060, 60_999, 61_000].map((now) => tokensAt(minute, now))).toEqual([0, 1, 999, 1_000]);
    expect([1_299, 1_300].map((now) => isFullAt(second, now))).toEqual([false, true]);
  });

  test("does not fall when the clock is set back", () => {
    const [second] = gaugesOf(HEADERS, 1_000);
    expect(second && tokensAt(second, 0)).toBe(70);
  });

  test("never shows more tokens than the service has, nor two fewer, however they were charged", () => {
    const buckets = bucketsOf(
      [
        { name: "second", burst: 100, refillTokens: 100, refillWindowMs: 1_000 },
        { name: "minute", burst: 1_000, refillTokens: 1_000, refillWindowMs: 60_000 },
      ],
      30,
    );
    const charges = fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 30 })), { maxLength: 30 });
    fc.assert(
      fc.property(charges, fc.nat(70_000), (given, laterMs) => {
        let now = 1_000_000;
        let fullAgainAt: FullAgainAt = {};
        for (const [pauseMs, cost] of given) {
          now += pauseMs;
          if (buckets.every((bucket) => tokensLeft(bucket, fullAgainAt, now) >= cost))
            fullAgainAt = charge(buckets, fullAgainAt, now, cost);
        }
        const gauges = gaugesOf(new Headers(rateLimitHeaders(buckets, fullAgainAt, now)), now);
        for (const [at, bucket] of buckets.entries()) {
          const gauge = gauges[at];
          if (gauge === undefined) throw new Error(`${bucket.name} has no gauge.`);
          const there = tokensLeft(bucket, fullAgainAt, now + laterMs);
          const estimate = tokensAt(gauge, now + laterMs);
          expect(estimate).toBeLessThanOrEqual(there);
          expect(estimate).toBeGreaterThanOrEqual(there - 1);
        }
      }),
    );
  });
});

describe("a countdown", () => {
  test.each([
    [0, "0.0 s"],
    [-5, "0.0 s"],
    [1, "0.1 s"],
    [100, "0.1 s"],
    [101, "0.2 s"],
    [9_900, "9.9 s"],
    [9_901, "10 s"],
    [10_001, "11 s"],
    [59_000, "59 s"],
    [60_001, "61 s"],
  ])("shows %d ms as %s", (leftMs, text) => {
    expect(leftText(leftMs)).toBe(text);
  });

  test("never says that less is left than is", () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (leftMs) => {
        expect(Number.parseFloat(leftText(leftMs)) * 1_000).toBeGreaterThanOrEqual(leftMs - 1e-6);
      }),
    );
  });
});

test.each([
  [30, { second: 9, minute: 711 }, ["second"]],
  [30, { second: 30, minute: 29 }, ["minute"]],
  [1, { second: 0, minute: 0 }, ["second", "minute"]],
])(
  "a refused request for %d days was refused for the buckets that had fewer tokens: %j",
  (days, left, names) => {
    const url = `http://a.test/1.0/trades/all/A-B?start_date=1&end_date=${days * 86_400_000}`;
    expect(shortBuckets(url, headersOf(left))).toEqual(names);
  },
);
