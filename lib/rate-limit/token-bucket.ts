import { CLOCKS_APART_MAX_MS } from "../clock.ts";
import { ownMember } from "../own-member.ts";

/**
 * A token bucket, ready for computation: a token comes back every `tokenMs`, and a full bucket holds `burst` tokens.
 */
export interface Bucket {
  readonly name: string;
  readonly burst: number;
  readonly tokenMs: number;
}

/**
 * The state of a limit: for each bucket, by name, the instant (epoch ms) at which it would be full again, which the
 * generic cell rate algorithm calls the theoretical arrival time. A bucket is full when its instant is missing or not
 * believed (`believedUntil`). Every other instant only moves forward, because tokens are never given back.
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
 * @throws {RangeError} when a bucket could never pay for such a request, or a token takes a fraction of a millisecond.
 */
export function bucketsOf(settings: readonly BucketDescription[], costMax: number): readonly Bucket[] {
  return settings.map(({ name, burst, refillTokens, refillWindowMs }) => {
    const tokenMs = refillWindowMs / refillTokens;
    if (!Number.isSafeInteger(tokenMs) || tokenMs < 1)
      throw new RangeError(
        `Bucket ${name}: ${refillTokens} tokens in ${refillWindowMs} ms must take a whole number of ms each.`,
      );
    if (burst < costMax)
      throw new RangeError(
        `Bucket ${name}: a burst of ${burst} can never pay for a request of ${costMax} tokens.`,
      );
    return { name, burst, tokenMs };
  });
}

/** How many ms an empty bucket takes until it is full. */
export const capacityMs = ({ burst, tokenMs }: Bucket): number => burst * tokenMs;

/**
 * The latest instant of being full again, epoch ms, that is believed at `now`. A later one was stored by a clock that
 * was far ahead of this one, or while the bucket was larger. It would lock the owner out, so it counts for nothing.
 */
export const believedUntil = (bucket: Bucket, now: number): number =>
  now + capacityMs(bucket) + CLOCKS_APART_MAX_MS;

/**
 * How long until a bucket is full again, in ms; 0 for a full one. Longer than its capacity when a clock that is ahead,
 * but still believed, has charged it, or when others have charged it since `now`.
 */
export function fullAgainMs(bucket: Bucket, fullAgainAt: FullAgainAt, now: number): number {
  const fullAt = ownMember(fullAgainAt, bucket.name) ?? 0;
  return fullAt > believedUntil(bucket, now) ? 0 : Math.max(0, fullAt - now);
}

/**
 * How long a request of some cost has to wait for its slowest bucket, in ms; 0 when it may pass now. From a state that
 * is out of date, the result is a lower bound.
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

/** The names of the buckets that are not full at `now`, which decide the form of the write. */
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
