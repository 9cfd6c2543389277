import { describe, expect, test } from "vitest";
import {
  bucketsOf,
  busyBuckets,
  charge,
  fullAgainMs,
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
    for (const refillTokens of [3, 2_000, -1_000])
      expect(() => bucketsOf(one(5, refillTokens, 1_000), 1)).toThrow(/whole number of ms/);
    expect(() => bucketsOf(one(5, 1, 0), 1)).toThrow(/whole number of ms/);
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
  ])("with %o a request of %i tokens waits %i ms", (fullAgainAt, cost, wait) => {
    expect(waitMs(buckets, fullAgainAt, NOW, cost)).toBe(wait);
  });

  test("a bucket is busy from one millisecond before it is full again", () => {
    expect([...busyBuckets(buckets, { second: NOW, minute: NOW + 1 }, NOW)]).toEqual(["minute"]);
    expect([...busyBuckets(buckets, {}, NOW)]).toEqual([]);
  });

  test("a full bucket is charged from now, any other from its own instant", () => {
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
});

describe("an instant that lies further ahead than a capacity and five seconds", () => {
  const believed = { second: NOW + 6_000, minute: NOW + 65_000 };
  const notBelieved = { second: NOW + 6_001, minute: NOW + 65_001 };

  test("counts for nothing, a millisecond less in full", () => {
    expect(waitMs(buckets, believed, NOW, 1)).toBe(5_060);
    expect(waitMs(buckets, { ...notBelieved, minute: NOW }, NOW, 30)).toBe(0);
    expect([...busyBuckets(buckets, believed, NOW)]).toEqual(["second", "minute"]);
    expect([...busyBuckets(buckets, notBelieved, NOW)]).toEqual([]);
    expect(charge(buckets, notBelieved, NOW, 2)).toEqual({ second: NOW + 20, minute: NOW + 120 });
    for (const bucket of buckets) {
      expect(tokensLeft(bucket, believed, NOW)).toBe(0);
      expect(tokensLeft(bucket, notBelieved, NOW)).toBe(bucket.burst);
      expect(fullAgainMs(bucket, believed, NOW)).toBe(bucket.burst * bucket.tokenMs + 5_000);
      expect(fullAgainMs(bucket, notBelieved, NOW)).toBe(0);
    }
  });

  test("remains after the settings change to a smaller or faster bucket", () => {
    const faster = bucketsOf(
      [{ name: "minute", burst: 1_000, refillTokens: 10_000, refillWindowMs: 60_000 }],
      30,
    );
    expect(waitMs(faster, { minute: NOW + 60_000 }, NOW, 1)).toBe(0);
    expect(waitMs(faster, { minute: NOW + 11_000 }, NOW, 1)).toBe(5_006);
  });
});
