import { describe, expect, test } from "vitest";
import {
  bucketsOf,
  busyBuckets,
  charge,
  laterOf,
  tokensLeft,
  waitMs,
} from "../../../lib/rate-limit/token-bucket.ts";
import { exchangeBuckets } from "../../support/limits.ts";

const NOW = 1_000_000;
const buckets = bucketsOf(exchangeBuckets, 30);

describe("settings", () => {
  const one = (burst: number, refillTokens: number, refillWindowMs: number) => [
    { name: "one", burst, refillTokens, refillWindowMs },
  ];

  test("a burst equal to the largest cost is enough, one token less is refused", () => {
    expect(bucketsOf(one(30, 100, 1_000), 30)).toEqual([{ name: "one", burst: 30, tokenMs: 10 }]);
    expect(() => bucketsOf(one(29, 100, 1_000), 30)).toThrow(/burst of 29 can never pay .* 30/);
  });

  test("a token comes back in whole milliseconds, or the settings are refused", () => {
    expect(bucketsOf(one(1, 1_000, 1_000), 1)).toEqual([{ name: "one", burst: 1, tokenMs: 1 }]);
    for (const refillTokens of [3, 2_000])
      expect(() => bucketsOf(one(5, refillTokens, 1_000), 1)).toThrow(/whole number of ms/);
  });
});

describe("both sides of every edge", () => {
  test.each([
    [{}, 30, 0],
    [{ second: NOW + 700, minute: NOW }, 30, 0],
    [{ second: NOW + 701, minute: NOW }, 30, 1],
    [{ second: NOW, minute: NOW + 58_200 }, 30, 0],
    [{ second: NOW, minute: NOW + 58_201 }, 30, 1],
    [{ second: NOW + 1_000, minute: NOW + 60_000 }, 1, 60],
    [{ second: NOW + 1_000, minute: NOW + 59_000 }, 1, 10],
  ])("with %o a request of %i tokens waits %i ms", (arrivals, cost, wait) => {
    expect(waitMs(buckets, arrivals, NOW, cost)).toBe(wait);
  });

  test("a bucket is busy from one millisecond before it is full again", () => {
    expect([...busyBuckets(buckets, { second: NOW, minute: NOW + 1 }, NOW)]).toEqual(["minute"]);
    expect([...busyBuckets(buckets, {}, NOW)]).toEqual([]);
  });

  test("a full bucket is charged from now, another from where it stands", () => {
    expect(charge(buckets, { second: NOW - 5, minute: NOW + 5 }, NOW, 2)).toEqual({
      second: NOW + 20,
      minute: NOW + 125,
    });
  });

  test("tokens are counted whole", () => {
    const second = { name: "second", burst: 100, tokenMs: 10 };
    const left = [NOW - 9, NOW, NOW + 1, NOW + 10, NOW + 11, NOW + 1_000, NOW + 2_000].map((at) =>
      tokensLeft(second, { second: at }, NOW),
    );
    expect(left).toEqual([100, 100, 99, 99, 98, 0, 0]);
  });

  test("of two states the later counts, bucket by bucket", () => {
    expect(laterOf({ second: 5, minute: 1 }, { second: 3, minute: 2 })).toEqual({ second: 5, minute: 2 });
  });
});
