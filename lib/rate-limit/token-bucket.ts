import { CLOCKS_APART_MAX_MS } from "../clock.ts";
import { ownMember } from "../own-member.ts";

/** A token bucket as it is computed with. A token comes back every `tokenMs`; when full there are `burst` of them. */
export interface Bucket {
  readonly name: string;
  readonly burst: number;
  readonly tokenMs: number;
}

/**
 * The state of a limit: for each bucket, by name, the instant (epoch ms) at which it would be full again, which the generic
 * cell rate algorithm calls the theoretical arrival time. A missing one is long past, its bucket full, and so is one that is
 * not believed (`believedUntil`). Others only move forward, since nothing is ever given back.
 */
export type FullAgainAt = Readonly<Record<string, number>>;

export interface BucketDescription {
  readonly name: string;
  readonly burst: number;
  readonly refillTokens: number;
  readonly refillWindowMs: number;
}

/**
 * The buckets that settings describe, for requests that cost at most `costMax` tokens.
 *
 * @throws {RangeError} when a bucket could never pay for such a request, or a token is no whole number of milliseconds.
 */
export function bucketsOf(settings: readonly BucketDescription[], costMax: number): readonly Bucket[] {
  return settings.map(({ name, burst, refillTokens, refillWindowMs }) => {
    const tokenMs = refillWindowMs / refillTokens;
    if (!Number.isSafeInteger(tokenMs) || tokenMs < 1)
      throw new RangeError(
        `Bucket ${name}: ${refillTokens} tokens in ${refillWindowMs} ms is no whole number of ms each.`,
      );
    if (burst < costMax)
      throw new RangeError(
        `Bucket ${name}: a burst of ${burst} can never pay for a request of ${costMax} tokens.`,
      );
    return { name, burst, tokenMs };
  });
}

/** How long a full bucket takes to come back from empty. */
export const capacityMs = ({ burst, tokenMs }: Bucket): number => burst * tokenMs;

/**
 * The latest instant of being full again, epoch ms, that is believed at `now`. A later one was put there by a clock that
 * was far ahead of this one, or when the bucket was larger: its difference would lock the owner out, and so it counts for
 * nothing.
 */
export const believedUntil = (bucket: Bucket, now: number): number =>
  now + capacityMs(bucket) + CLOCKS_APART_MAX_MS;

/**
 * How long until a bucket is full again, in ms; 0 for a full one. Longer than its capacity when a clock that is ahead, by
 * no more than is believed, has charged it, or others have since `now`.
 */
export function fullAgainMs(bucket: Bucket, fullAgainAt: FullAgainAt, now: number): number {
  const fullAt = ownMember(fullAgainAt, bucket.name) ?? 0;
  return fullAt > believedUntil(bucket, now) ? 0 : Math.max(0, fullAt - now);
}

/**
 * How long a request of some cost has to wait for its slowest bucket, in ms; 0 when it may pass now. Computed from a
 * state that is out of date, it is a lower bound.
 *
 * @example
 * const buckets = bucketsOf([{ name: "second", burst: 2, refillTokens: 1, refillWindowMs: 1_000 }], 1);
 * const spent = charge(buckets, {}, 5_000, 2);
 * spent // → { second: 7_000 }
 * waitMs(buckets, spent, 5_000, 1) // → 1_000
 * waitMs(buckets, spent, 6_000, 1) // → 0
 */
export function waitMs(
  buckets: readonly Bucket[],
  fullAgainAt: FullAgainAt,
  now: number,
  cost: number,
): number {
  const waits = buckets.map(
    (bucket) => fullAgainMs(bucket, fullAgainAt, now) + cost * bucket.tokenMs - capacityMs(bucket),
  );
  return Math.max(0, ...waits);
}

/** The buckets that are not full at `now`, by name: which form of the write a state calls for. */
export const busyBuckets = (
  buckets: readonly Bucket[],
  fullAgainAt: FullAgainAt,
  now: number,
): ReadonlySet<string> =>
  new Set(buckets.filter((bucket) => fullAgainMs(bucket, fullAgainAt, now) > 0).map(({ name }) => name));

/** The state after a request of some cost has been charged to every bucket. */
export const charge = (
  buckets: readonly Bucket[],
  fullAgainAt: FullAgainAt,
  now: number,
  cost: number,
): FullAgainAt =>
  Object.fromEntries(
    buckets.map((bucket) => [
      bucket.name,
      now + fullAgainMs(bucket, fullAgainAt, now) + cost * bucket.tokenMs,
    ]),
  );

/** Whole tokens that a bucket holds at `now`. */
export const tokensLeft = (bucket: Bucket, fullAgainAt: FullAgainAt, now: number): number =>
  Math.max(0, Math.floor((capacityMs(bucket) - fullAgainMs(bucket, fullAgainAt, now)) / bucket.tokenMs));
