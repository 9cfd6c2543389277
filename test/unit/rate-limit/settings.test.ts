import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
    ["no list", second, ": Invalid input"],
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
