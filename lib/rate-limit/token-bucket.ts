import { ownMember } from "../own-member.ts";
/** A token bucket as it is computed with. A token comes back every `tokenMs`; when full there are `burst` of them. */
export interface Bucket {
  readonly name: string;
  readonly burst: number;
  readonly tokenMs: number;
}

/**
 * The state of a limit: for each bucket, by name, the instant (epoch ms) at which it would be full again. Instants only
 * move forward, since nothing is ever given back; a missing one is long past, its bucket full.
 */
export type Arrivals = Readonly<Record<string, number>>;

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

const arrivalOf = (arrivals: Arrivals, { name }: Bucket): number => ownMember(arrivals, name) ?? 0;

/** How long a full bucket takes to come back from empty. */
export const capacityMs = ({ burst, tokenMs }: Bucket): number => burst * tokenMs;

/**
 * How long a request of some cost has to wait for its slowest bucket, in ms; 0 when it may pass now. Computed from a
 * state that is out of date, it is a lower bound.
 */
export function waitMs(buckets: readonly Bucket[], arrivals: Arrivals, now: number, cost: number): number {
  const waits = buckets.map(
    (bucket) => Math.max(arrivalOf(arrivals, bucket), now) + cost * bucket.tokenMs - capacityMs(bucket) - now,
  );
  return Math.max(0, ...waits);
}

/** The buckets that are not full at `now`, by name: which form of the write a state calls for. */
export const busyBuckets = (
  buckets: readonly Bucket[],
  arrivals: Arrivals,
  now: number,
): ReadonlySet<string> =>
  new Set(buckets.filter((bucket) => arrivalOf(arrivals, bucket) > now).map(({ name }) => name));

/** The state after a request of some cost has been charged to every bucket. */
export const charge = (buckets: readonly Bucket[], arrivals: Arrivals, now: number, cost: number): Arrivals =>
  Object.fromEntries(
    buckets.map((bucket) => [
      bucket.name,
      Math.max(arrivalOf(arrivals, bucket), now) + cost * bucket.tokenMs,
    ]),
  );

/** A state that was just seen, or what was known before where that is later: of two states of one limit both were true. */
export const laterOf = (known: Arrivals, seen: Arrivals): Arrivals =>
  Object.fromEntries(
    Object.entries(seen).map(([name, at]) => [name, Math.max(ownMember(known, name) ?? 0, at)]),
  );

/** Whole tokens that a bucket holds at `now`. */
export function tokensLeft(bucket: Bucket, arrivals: Arrivals, now: number): number {
  return Math.floor((capacityMs(bucket) - fullAgainMs(bucket, arrivals, now)) / bucket.tokenMs);
}

/**
 * How long until a bucket is full again, in ms. A decision whose `now` others have overtaken may see it more than empty.
 */
export const fullAgainMs = (bucket: Bucket, arrivals: Arrivals, now: number): number =>
  Math.min(capacityMs(bucket), Math.max(0, arrivalOf(arrivals, bucket) - now));
