import * as z from "zod/mini";
import { tableEnv } from "../env.ts";

const whole = (max: number) =>
  z
    .number()
    .check(
      z.refine(
        (value) => Number.isInteger(value) && value >= 1 && value <= max,
        `must be a whole number from 1 to ${max}`,
      ),
    );

/** One token bucket: how many tokens it holds when full, and how many come back in a span of time, evenly. */
export const bucketSchema = z
  .strictObject({
    /** Names the bucket in `RateLimit`, and its attribute in the store. */
    name: z
      .string()
      .check(z.regex(/^[a-z][a-z0-9-]{0,19}$/, "must be 1-20 lower-case letters, digits and hyphens")),
    burst: whole(1_000_000),
    refillTokens: whole(1_000_000),
    refillWindowMs: whole(86_400_000),
  })
  .check(
    z.refine(({ refillTokens, refillWindowMs }) => refillWindowMs % refillTokens === 0, {
      path: ["refillTokens"],
      error: "must divide refillWindowMs: a token comes back in whole milliseconds",
    }),
  );

/** A limit: every request is charged to all of its buckets or to none. */
export const bucketsSchema = z.array(bucketSchema).check(
  z.minLength(1, "must have a bucket"),
  z.refine(
    (buckets) => new Set(buckets.map(({ name }) => name)).size === buckets.length,
    "must name each bucket once",
  ),
);

export type BucketSettings = z.infer<typeof bucketSchema>;

const bucketsOfText = (costMax: number) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text, context): unknown => {
        try {
          return JSON.parse(text);
        } catch {
          context.issues.push({ code: "custom", message: "must be a JSON list of buckets", input: text });
          return z.NEVER;
        }
      }),
    ),
    bucketsSchema.check(
      z.refine((buckets) => buckets.every(({ burst }) => burst >= costMax), {
        error: `must have bursts of at least ${costMax}, what the dearest request costs`,
      }),
    ),
  );

/**
 * The environment of a limited endpoint: the table of limits, and its buckets as JSON under the variable that is named.
 * Buckets that could never pay for a request of `costMax` tokens are refused.
 */
export const rateLimitEnv = <Name extends `RATE_LIMIT_${string}`>(name: Name, costMax = 1) =>
  ({ ...tableEnv("RATE_LIMITS_TABLE"), [name]: bucketsOfText(costMax) }) as Record<
    "RATE_LIMITS_TABLE",
    ReturnType<typeof tableEnv>[string]
  > &
    Record<Name, ReturnType<typeof bucketsOfText>>;
