import type { StoreFailure } from "../../lib/dynamo/store-failure.ts";
import type { Charge } from "../../lib/rate-limit/charge.ts";
import type { ChargeResult, ChargeStore } from "../../lib/rate-limit/rate-limit-store.ts";
import { type Bucket, capacityMs, type FullAgainAt } from "../../lib/rate-limit/token-bucket.ts";

/** A failure of the store, of a kind that a test chooses. */
export class FailedCall extends Error {
  readonly kind: StoreFailure | undefined;

  constructor(kind: StoreFailure | undefined) {
    super(`failure: ${kind}`);
    this.kind = kind;
  }
}

/** A stored instant further ahead than a bucket's capacity plus these 5 s is ignored (decision 17). */
const TOLERANCE_MS = 5_000;

/** The conditional update in memory: the same conditions, one attempt at a time. Counts attempts. */
export class LimitTable implements ChargeStore {
  readonly items = new Map<string, Record<string, number>>();
  attempts = 0;
  /** Failures that the next attempts meet, in order; undefined lets one through. */
  readonly failures: (FailedCall | undefined)[] = [];
  /** Awaited between an attempt's start and its write, so that other attempts can overtake it. */
  pause: () => Promise<void> = async () => {};

  readonly failureOf = (error: unknown): StoreFailure | undefined =>
    error instanceof FailedCall ? error.kind : undefined;

  async charge(key: string, buckets: readonly Bucket[], charge: Charge): Promise<ChargeResult> {
    await this.pause();
    this.attempts += 1;
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    const item = this.items.get(key) ?? {};
    const holds = buckets.every((bucket) => conditionHolds(bucket, item, charge));
    if (!holds) return { charged: false, fullAgainAt: stateOf(buckets, item) };
    for (const { name, tokenMs } of buckets) {
      const from = charge.busy.has(name) ? (item[name] ?? Number.NaN) : charge.now;
      item[name] = from + charge.cost * tokenMs;
    }
    this.items.set(key, item);
    return { charged: true, fullAgainAt: stateOf(buckets, item) };
  }
}

function conditionHolds(bucket: Bucket, item: Record<string, number>, { now, cost, busy }: Charge): boolean {
  const fullAt = item[bucket.name];
  const believedUntil = now + capacityMs(bucket) + TOLERANCE_MS;
  if (!busy.has(bucket.name)) return fullAt === undefined || fullAt <= now || fullAt > believedUntil;
  return fullAt !== undefined && fullAt > now && fullAt <= now + capacityMs(bucket) - cost * bucket.tokenMs;
}

const stateOf = (buckets: readonly Bucket[], item: Record<string, number>): FullAgainAt =>
  Object.fromEntries(buckets.map(({ name }) => [name, item[name] ?? 0]));
