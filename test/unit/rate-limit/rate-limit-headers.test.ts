import { expect, test } from "vitest";
import { policyHeader, rateLimitHeaders } from "../../../lib/rate-limit/rate-limit-headers.ts";
import { bucketsOf } from "../../../lib/rate-limit/token-bucket.ts";
import { exchangeBuckets } from "../../support/limits.ts";

const NOW = 1_000_000;
const buckets = bucketsOf(exchangeBuckets, 30);
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
