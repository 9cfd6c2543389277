import * as z from "zod/mini";
import { tableEnv } from "../env.ts";
import { LoggableError } from "../errors.ts";
import { parsedJson } from "../json-value.ts";
import { ownMember } from "../own-member.ts";
import { matching, whole } from "../setting-schemas.ts";

/** One token bucket: how many tokens it holds when full, and how many come back in a span of time, evenly. */
const bucketSchema = z
  .strictObject({
    /** Names the bucket in `RateLimit`, and its attribute in the store. */
    name: matching(/^[a-z][a-z0-9-]{0,19}$/, "must be 1-20 lower-case letters, digits and hyphens"),
    burst: whole(1, 1_000_000),
    refillTokens: whole(1, 1_000_000),
    refillWindowMs: whole(1, 86_400_000),
  })
  .check(
    z.refine(({ refillTokens, refillWindowMs }) => refillWindowMs % refillTokens === 0, {
      path: ["refillTokens"],
      error: "must divide refillWindowMs: a token comes back in whole milliseconds",
    }),
  );

/** A limit: every request is charged to all of its buckets or to none. */
export const bucketsSchema = z.array(bucketSchema, "must be a JSON list of buckets").check(
  z.minLength(1, "must have a bucket"),
  z.refine(
    (buckets) => new Set(buckets.map(({ name }) => name)).size === buckets.length,
    "must name each bucket once",
  ),
);

export type BucketSettings = z.infer<typeof bucketSchema>;

/** A limit as a function knows it. Its buckets come from the environment. */
export interface LimitDescription {
  /**
   * Names the limit, in one lower-case word that names a variable too. Endpoints with one name share an owner's tokens.
   */
  readonly name: string;
  /** The most tokens that a request can cost. */
  readonly costMax: number;
}

/** A limit in an endpoint's contract, which is a setting of every stage under its name. */
export interface ContractLimit extends LimitDescription {
  /** The buckets unless a stage sets others. */
  readonly defaultBuckets: readonly Readonly<BucketSettings>[];
}

const bucketsOfText = (costMax: number) =>
  z.pipe(
    z.pipe(z.string(), z.transform(parsedJson)),
    bucketsSchema.check(
      z.refine((buckets) => buckets.every(({ burst }) => burst >= costMax), {
        error: `must have bursts of at least ${costMax}, the cost of the dearest request`,
      }),
    ),
  );

type Buckets = ReturnType<typeof bucketsOfText>;
type LimitVariable = `RATE_LIMIT_${string}`;

/** The environment variable that holds a limit's buckets as JSON. */
export const limitVariableOf = ({ name }: Pick<LimitDescription, "name">): LimitVariable =>
  `RATE_LIMIT_${name.toUpperCase()}`;

/**
 * The environment of a limit: the table of limits, and the limit's buckets as JSON, under a variable that is named
 * after the limit. Buckets that could never pay for the dearest request are refused.
 */
export const rateLimitEnv = (limit: LimitDescription) =>
  ({ ...tableEnv("RATE_LIMITS_TABLE"), [limitVariableOf(limit)]: bucketsOfText(limit.costMax) }) as Record<
    "RATE_LIMITS_TABLE",
    ReturnType<typeof tableEnv>[string]
  > &
    Record<LimitVariable, Buckets>;

/**
 * The buckets of a limit, from an environment that {@link rateLimitEnv} describes.
 *
 * @throws {Error} when the environment is that of another limit.
 */
export function bucketsIn(
  env: Readonly<Record<LimitVariable, z.infer<Buckets>>>,
  limit: LimitDescription,
): z.infer<Buckets> {
  const buckets = ownMember(env, limitVariableOf(limit));
  if (buckets === undefined) throw new LoggableError(`The environment has no ${limitVariableOf(limit)}.`);
  return buckets;
}
