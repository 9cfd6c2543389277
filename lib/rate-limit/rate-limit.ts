import type { Clock } from "../clock.ts";
import { RETRY_AFTER_MS, unavailable } from "../errors.ts";
import { type AskedCharge, limitKey } from "./charge.ts";
import { afterEarlyRetry, afterRefusal, afterTimelyRequest } from "./early-retries.ts";
import { LimitMemory, type OwnerMemory } from "./limit-memory.ts";
import { policyHeader, rateLimitHeaders } from "./rate-limit-headers.ts";
import type { ChargeStore } from "./rate-limit-store.ts";
import type { Bucket, BucketDescription } from "./token-bucket.ts";
import { bucketsOf, busyBuckets, charge, waitMs } from "./token-bucket.ts";

/** While the store is down, each instance counts for itself, and this many times slower: there may be many. */
const LOCAL_SLOWDOWN = 10;
const TOO_OFTEN = "The limit's item is written too often.";

/** The decision on a request: `waitMs` is 0 when it was charged; `headers` say what is left. */
export interface Decision {
  readonly waitMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RateLimitParts {
  /** Names the limit; endpoints with one name share its tokens. */
  readonly name: string;
  readonly buckets: readonly BucketDescription[];
  /** The most tokens that one request costs. */
  readonly costMax: number;
  readonly store: ChargeStore;
  readonly clock: Clock;
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** Called with the store's error each time a request is admitted or refused without the store. */
  readonly reportOutage: (error: unknown) => void;
}

/**
 * Limits owners to the tokens of a set of buckets (generic cell rate algorithm), each request charged to all or none.
 * With one clock, nothing is ever admitted beyond the tokens, however many instances decide at once. Instances whose
 * clocks differ by d ms, five seconds at most, over-admit at most 2d ms worth of tokens of the fastest bucket, once.
 * However clocks are set, no owner waits longer than a bucket's capacity and five seconds. A single caller that waits
 * exactly as told is admitted; of up to four that share an owner, none waits longer than it must. A decision takes one
 * write, and at most one more for each bucket.
 */
export class RateLimit {
  readonly #parts: RateLimitParts;
  readonly #buckets: readonly Bucket[];
  readonly #localBuckets: readonly Bucket[];
  readonly #memory = new LimitMemory();

  /** @throws {RangeError} for buckets that {@link bucketsOf} refuses. */
  constructor(parts: RateLimitParts) {
    this.#parts = parts;
    this.#buckets = bucketsOf(parts.buckets, parts.costMax);
    this.#localBuckets = this.#buckets.map((bucket) => ({
      ...bucket,
      tokenMs: bucket.tokenMs * LOCAL_SLOWDOWN,
    }));
  }

  /**
   * Charges an owner for one request, or returns how long to wait. The charge also keeps the day as the last use of the
   * credentials with these ids.
   *
   * @throws {Failure} `temporarily_unavailable` while this owner's item is written too often.
   */
  async charge(owner: string, cost: number, credentials: readonly string[] = []): Promise<Decision> {
    const now = this.#parts.clock();
    const memory = this.#memory.of(owner, now);
    if (now < memory.throttledUntil)
      throw unavailable(TOO_OFTEN, { retryAfterMs: memory.throttledUntil - now });
    const wait = this.#waitFromMemory(memory, now, cost);
    if (wait > 0) return this.#decision(wait, memory, now);
    return this.#askStore(owner, { cost, now, credentials }, 1);
  }

  /** The RateLimit headers of an owner as far as this instance knows; of an unknown owner, the policy alone. */
  headersOf(owner: string | undefined): Readonly<Record<string, string>> {
    const memory = owner === undefined ? undefined : this.#memory.peek(owner);
    return memory?.fullAgainAt === undefined
      ? policyHeader(this.#buckets)
      : this.#headers(memory, this.#parts.clock());
  }

  /**
   * Refuses a request from memory when it comes inside a wait that this instance told, or inside a block. Any other
   * asks the store, even if the remembered state cannot pay: others may have charged since, and the wait be too short.
   */
  #waitFromMemory(memory: OwnerMemory, now: number, cost: number): number {
    const wait = waitMs(this.#buckets, memory.fullAgainAt ?? {}, now, cost);
    const { toldUntil, blockedUntil } = memory.earlyRetries;
    if (now < blockedUntil || (wait > 0 && now < toldUntil)) {
      memory.earlyRetries = afterEarlyRetry(memory.earlyRetries, now, this.#parts.random());
      return Math.max(wait, memory.earlyRetries.blockedUntil - now);
    }
    memory.earlyRetries = afterTimelyRequest(memory.earlyRetries, now);
    return 0;
  }

  async #askStore(owner: string, asked: AskedCharge, retries: number): Promise<Decision> {
    const { cost, now } = asked;
    const memory = this.#memory.of(owner, now);
    try {
      const wait = await this.#chargeStore(owner, memory, asked);
      if (wait > 0) memory.earlyRetries = afterRefusal(memory.earlyRetries, now + wait);
      return this.#decision(wait, memory, now);
    } catch (error) {
      const failure = this.#parts.store.failureOf(error);
      if (failure === undefined) throw error;
      if (failure === "connection" && retries > 0)
        return this.#askStore(owner, { ...asked, now: this.#parts.clock() }, retries - 1);
      if (failure === "throttled-key") {
        memory.throttledUntil = now + RETRY_AFTER_MS;
        throw unavailable(TOO_OFTEN, { cause: error });
      }
      this.#parts.reportOutage(error);
      return this.#chargeLocally(memory, cost, now);
    }
  }

  /** @returns ms to wait; 0 when the store has charged. For a fixed `now` buckets only become busy, never full. */
  async #chargeStore(owner: string, memory: OwnerMemory, asked: AskedCharge): Promise<number> {
    const { name, store } = this.#parts;
    const { cost, now } = asked;
    const key = limitKey(name, owner);
    let expected = memory.fullAgainAt ?? {};
    for (let attempt = 0; attempt <= this.#buckets.length; attempt += 1) {
      const busy = busyBuckets(this.#buckets, expected, now);
      const { charged, fullAgainAt } = await store.charge(key, this.#buckets, { ...asked, busy });
      memory.fullAgainAt = fullAgainAt;
      if (charged) return 0;
      const wait = waitMs(this.#buckets, fullAgainAt, now, cost);
      if (wait > 0) return wait;
      expected = fullAgainAt;
    }
    throw unavailable(TOO_OFTEN);
  }

  #chargeLocally(memory: OwnerMemory, cost: number, now: number): Decision {
    const wait = waitMs(this.#localBuckets, memory.localFullAgainAt, now, cost);
    if (wait === 0) memory.localFullAgainAt = charge(this.#localBuckets, memory.localFullAgainAt, now, cost);
    return { waitMs: wait, headers: rateLimitHeaders(this.#localBuckets, memory.localFullAgainAt, now) };
  }

  #decision(wait: number, memory: OwnerMemory, now: number): Decision {
    return { waitMs: wait, headers: this.#headers(memory, now) };
  }

  #headers({ fullAgainAt = {}, earlyRetries }: OwnerMemory, now: number): Decision["headers"] {
    return rateLimitHeaders(this.#buckets, fullAgainAt, now, earlyRetries.blockedUntil - now);
  }
}
