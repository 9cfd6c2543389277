import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { readEnv } from "../../../lib/env.ts";
import { bucketsIn, rateLimitEnv } from "../../../lib/rate-limit/settings.ts";
import { exchangeBuckets } from "../../support/limits.ts";

const sample = { name: "sample", costMax: 1 };
const schema = z.object(rateLimitEnv(sample));
const read = (buckets: unknown) =>
  readEnv(schema, {
    RATE_LIMITS_TABLE: "RateLimits",
    RATE_LIMIT_SAMPLE: typeof buckets === "string" ? buckets : JSON.stringify(buckets),
  });
const [second] = exchangeBuckets;

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

describe("settings that cannot be used are refused, and the variable is named", () => {
  test.each([
    ["no JSON", "60/20"],
    ["no list", second],
    ["no bucket", []],
    ["a name given twice", [second, second]],
    ["an unknown member", [{ ...second, brust: 3 }]],
    ["a missing member", [{ ...second, burst: undefined }]],
    ["a burst of 0", [{ ...second, burst: 0 }]],
    ["half a token", [{ ...second, burst: 1.5 }]],
    ["a malformed name", [{ ...second, name: "Per Second" }]],
    ["a token that takes a fraction of a millisecond", [{ ...second, refillTokens: 3 }]],
  ])("%s", (_, buckets) => {
    expect(() => read(buckets)).toThrow(/RATE_LIMIT_SAMPLE/);
  });
});
