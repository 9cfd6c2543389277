import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { readEnv } from "../../../lib/env.ts";
import {
  afterEarlyRetry,
  afterRefusal,
  afterTimelyRequest,
  type EarlyRetries,
  noEarlyRetries,
} from "../../../lib/rate-limit/early-retries.ts";
import { policyHeader, rateLimitHeaders } from "../../../lib/rate-limit/rate-limit-headers.ts";
import { bucketsIn, rateLimitEnv } from "../../../lib/rate-limit/settings.ts";
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

describe("buckets", () => {
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

describe("blocks", () => {
  const told = afterRefusal(noEarlyRetries, NOW + 1_000);

  const retryEarly = (from: EarlyRetries, times: number, now = NOW, draw = 0.5): EarlyRetries =>
    Array.from({ length: times }).reduce<EarlyRetries>((state) => afterEarlyRetry(state, now, draw), from);

  test("the fourth request inside a wait starts one, the third does not", () => {
    expect(retryEarly(told, 3).blockedUntil).toBe(0);
    expect(retryEarly(told, 4).blockedUntil).toBe(NOW + 50);
  });

  test("the count begins again after a request that came when no wait was left", () => {
    let state = told;
    for (let round = 0; round < 10; round += 1) state = afterTimelyRequest(retryEarly(state, 3), NOW);
    expect(retryEarly(state, 3).blockedUntil).toBe(0);
    expect(retryEarly(state, 4).blockedUntil).toBe(NOW + 50);
  });

  test("the first request inside a wait starts the next one when four came inside the last, else the fourth does", () => {
    const blocked = (times: number) => afterTimelyRequest(retryEarly(retryEarly(told, 4), times), NOW + 50);
    expect(retryEarly(blocked(4), 1, NOW + 50).blockedUntil).toBe(NOW + 150);
    expect(retryEarly(blocked(3), 3, NOW + 50).blockedUntil).toBe(0);
    expect(retryEarly(blocked(3), 4, NOW + 50).blockedUntil).toBe(NOW + 100);
  });

  test("are doubled from 50 ms up to 1,600 ms", () => {
    const lengths: number[] = [];
    let state = told;
    for (let now = NOW; lengths.length < 8; now = state.blockedUntil) {
      state = retryEarly(state, lengths.length === 0 ? 4 : 1, now);
      lengths.push(state.blockedUntil - now);
      state = afterTimelyRequest(retryEarly(state, 4, now), state.blockedUntil);
    }
    expect(lengths).toEqual([50, 100, 200, 400, 800, 1_600, 1_600, 1_600]);
  });

  test("are spread by half their length to either side", () => {
    expect(retryEarly(told, 4, NOW, 0).blockedUntil).toBe(NOW + 25);
    expect(retryEarly(told, 4, NOW, 1).blockedUntil).toBe(NOW + 75);
  });

  test("do not end a longer wait that was told", () => {
    expect(retryEarly(told, 4).toldUntil).toBe(NOW + 1_000);
  });

  test("an owner that keeps one is credited once for it", () => {
    const blocked = retryEarly(afterTimelyRequest(retryEarly(retryEarly(told, 4), 4), NOW + 50), 1, NOW + 50);
    expect(blocked.level).toBe(2);
    const kept = afterTimelyRequest(blocked, NOW + 2_000);
    expect(kept.level).toBe(1);
    expect(afterTimelyRequest(kept, NOW + 2_001).level).toBe(1);
  });

  test("are forgotten ten seconds after the last excess request, while the wait goes on", () => {
    const blocked = retryEarly(retryEarly(told, 4), 4);
    const forgotten = { ...noEarlyRetries, toldUntil: NOW + 1_000 };
    expect(afterTimelyRequest(blocked, NOW + 10_000)).not.toEqual(forgotten);
    expect(afterTimelyRequest(blocked, NOW + 10_001)).toEqual(forgotten);
  });
});

const policy = '"second";q=100;w=1, "minute";q=1000;w=60';

test("the policy names every bucket with its quota and the seconds in which it fills up", () => {
  expect(policyHeader(buckets)).toEqual({ "RateLimit-Policy": policy });
  const business = bucketsOf([{ name: "business", burst: 60, refillTokens: 20, refillWindowMs: 1_000 }], 1);
  expect(policyHeader(business)).toEqual({ "RateLimit-Policy": '"business";q=60;w=3' });
});

test("the tokens left are whole, and so are the seconds until the bucket is full, rounded up", () => {
  const fullAgainAt = { second: NOW + 301, minute: NOW + 1_801 };
  expect(rateLimitHeaders(buckets, fullAgainAt, NOW)).toEqual({
    "RateLimit-Policy": policy,
    RateLimit: '"second";r=69;t=1, "minute";r=969;t=2',
  });
  expect(rateLimitHeaders(buckets, {}, NOW).RateLimit).toBe('"second";r=100;t=0, "minute";r=1000;t=0');
  // Others have charged with a later clock than this decision's.
  const overtaken = rateLimitHeaders(buckets, { second: NOW + 1_500, minute: NOW + 60_500 }, NOW);
  expect(overtaken.RateLimit).toBe('"second";r=0;t=2, "minute";r=0;t=61');
});

test("a blocked owner has no token left until the block is over", () => {
  const fullAgainAt = { second: NOW + 301, minute: NOW + 1_801 };
  expect(rateLimitHeaders(buckets, fullAgainAt, NOW, 1_500).RateLimit).toBe(
    '"second";r=0;t=2, "minute";r=0;t=2',
  );
  expect(rateLimitHeaders(buckets, fullAgainAt, NOW, 0)).toEqual(rateLimitHeaders(buckets, fullAgainAt, NOW));
});

const sample = { name: "sample", costMax: 1 };
const schema = z.object(rateLimitEnv(sample));
const read = (buckets: unknown) =>
  readEnv(schema, {
    RATE_LIMITS_TABLE: "RateLimits",
    RATE_LIMIT_SAMPLE: typeof buckets === "string" ? buckets : JSON.stringify(buckets),
  });
const [second] = exchangeBuckets;

// No function loads words for zod; other modules of this process may have.
const { localeError } = z.config();
beforeAll(() => void z.config({ localeError: undefined }));
afterAll(() => void z.config({ localeError }));

test("buckets are read from the environment as JSON", () => {
  expect(read(exchangeBuckets)).toEqual({
    RATE_LIMITS_TABLE: "RateLimits",
    RATE_LIMIT_SAMPLE: exchangeBuckets,
  });
});

test("the buckets of a limit are found by its name, and never those of another limit", () => {
  const env = read(exchangeBuckets);
  expect(bucketsIn(env, sample)).toEqual(exchangeBuckets);
  expect(() => bucketsIn(env, { name: "other", costMax: 1 })).toThrow(/RATE_LIMIT_OTHER/);
});

test("bursts below the dearest request's cost are refused, equal ones are not", () => {
  const readFor = (costMax: number) =>
    readEnv(z.object(rateLimitEnv({ name: "sample", costMax })), {
      RATE_LIMITS_TABLE: "RateLimits",
      RATE_LIMIT_SAMPLE: JSON.stringify(exchangeBuckets),
    });
  expect(readFor(100)).toHaveProperty("RATE_LIMIT_SAMPLE");
  expect(() => readFor(101)).toThrow(/RATE_LIMIT_SAMPLE: must have bursts of at least 101/);
});

describe("settings that cannot be used are refused by the variable, the member and its rule", () => {
  const nameRule = ".0.name: must be 1-20 lower-case letters, digits and hyphens";
  const million = "must be a whole number from 1 to 1000000";
  test.each([
    ["no JSON", "60/20", ": must be a JSON list of buckets"],
    ["no list", second, ": must be a JSON list of buckets"],
    ["no bucket", [], ": must have a bucket"],
    ["a name given twice", [second, second], ": must name each bucket once"],
    ["an unknown member", [{ ...second, brust: 3 }], ".0: has unknown members"],
    ["a missing member", [{ ...second, burst: undefined }], ".0.burst: Invalid input"],
    ["a burst of nothing", [{ ...second, burst: 0 }], `.0.burst: ${million}`],
    ["half a token", [{ ...second, burst: 1.5 }], `.0.burst: ${million}`],
    ["a name of two words", [{ ...second, name: "per second" }], nameRule],
    ["a name in capitals", [{ ...second, name: "Second" }], nameRule],
    ["a name that begins with a digit", [{ ...second, name: "1s" }], nameRule],
    ["a name of 21 letters", [{ ...second, name: "s".repeat(21) }], nameRule],
    [
      "a token that is not a whole number of milliseconds",
      [{ ...second, refillTokens: 3 }],
      ".0.refillTokens: must divide refillWindowMs: a token comes back in whole milliseconds",
    ],
  ])("%s", (_, buckets, rule) => {
    expect(() => read(buckets)).toThrow(`RATE_LIMIT_SAMPLE${rule}`);
  });

  test("a name may have 20 letters, digits and hyphens", () => {
    const named = [{ ...second, name: `a-1${"z".repeat(17)}` }];
    expect(read(named)).toHaveProperty("RATE_LIMIT_SAMPLE", named);
  });
});
