/** A bucket as the service described it, and what this client knows of its tokens. */
interface Bucket {
  /** Tokens when full. */
  readonly burst: number;
  /** Milliseconds that one token takes to come back, at most. */
  readonly tokenMs: number;
  /** Tokens at `atMs`; negative when more were promised than were there. */
  left: number;
  atMs: number;
}

/** A longer wait is looked at again after so long: another answer may have told of another limit. */
const LOOK_MS = 60_000;
/** More than what sums of fractions are off by. */
const ROUNDING_MS = 1e-6;

/** A number has 15 digits at most (RFC 9651 3.3.1). */
const ITEM = /"([^"]*)"((?:\s*;\s*[a-z]+=\d{1,15}(?!\d))+)/g;

/** The items of a `RateLimit` or `RateLimit-Policy` header by name, each with its numbers. */
export function readItems(header: string | null): Map<string, Readonly<Record<string, number>>> {
  const items = [...(header ?? "").matchAll(ITEM)].map(([, name = "", numbers = ""]) => {
    const pairs = [...numbers.matchAll(/([a-z]+)=(\d+)/g)].map(([, key = "", text]) => [key, Number(text)]);
    return [name, Object.fromEntries(pairs) as Record<string, number>] as const;
  });
  return new Map(items);
}

/** The tokens of a request that is not answered yet. */
export interface Reservation {
  readonly cost: number;
}

/**
 * The tokens of a limit, as its answers describe them in `RateLimit` and `RateLimit-Policy`. A request reserves its cost
 * and waits until the tokens are there, so that a client that is alone hardly ever meets a 429.
 */
export class Budget {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  /** In the order in which they are given their tokens. */
  readonly #reservations = new Set<Reservation>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reserves the cost of a request. */
  reserve(cost: number): Reservation {
    const reservation = { cost };
    this.#reservations.add(reservation);
    for (const bucket of this.#buckets.values()) {
      refill(bucket, this.#now());
      bucket.left -= cost;
    }
    return reservation;
  }

  /** How long it is until the tokens of a reservation are there, in milliseconds. */
  waitMs(reservation: Reservation): number {
    const later = this.#costAfter(reservation);
    const waits = Array.from(this.#buckets.values(), (bucket) => {
      refill(bucket, this.#now());
      const missing = -(bucket.left + later);
      return missing > 0 ? Math.ceil(missing * bucket.tokenMs - ROUNDING_MS) : 0;
    });
    return Math.max(0, ...waits);
  }

  /**
   * Waits until the tokens of a reservation are there. A wait that is longer than `longestMs` is not begun: the service then
   * says by itself whether its limit is still the same.
   */
  async wait(
    reservation: Reservation,
    longestMs: number,
    pause: (ms: number) => Promise<void>,
  ): Promise<void> {
    if (this.waitMs(reservation) > longestMs) return;
    let leftMs = longestMs;
    for (let isLast = false; !isLast; ) {
      const waitMs = Math.min(this.waitMs(reservation), leftMs);
      isLast = waitMs <= LOOK_MS;
      await pause(isLast ? waitMs : LOOK_MS);
      leftMs -= LOOK_MS;
    }
  }

  /** Takes a reservation back: its request was not sent. */
  release(reservation: Reservation): void {
    if (!this.#reservations.delete(reservation)) return;
    for (const bucket of this.#buckets.values()) bucket.left += reservation.cost;
  }

  /** Ends a reservation: the request was answered so, or it failed and had no answer. */
  settle(reservation: Reservation, answer?: { readonly status: number; readonly headers: Headers }): void {
    this.#reservations.delete(reservation);
    if (answer === undefined) return;
    const policies = readItems(answer.headers.get("RateLimit-Policy"));
    // Every answer with a record describes the whole limit: a bucket that is missing there is gone.
    if (policies.size > 0 || answer.status === 200)
      for (const name of this.#buckets.keys()) if (!policies.has(name)) this.#buckets.delete(name);
    // The service may or may not have charged the requests under way: it is assumed that it will.
    const pending = this.#costAfter(undefined);
    for (const [name, { r: left }] of readItems(answer.headers.get("RateLimit"))) {
      const { q: burst = 0, w: windowS = 0 } = policies.get(name) ?? {};
      if (left === undefined || burst === 0 || windowS === 0) continue;
      const tokenMs = (1000 * windowS) / burst;
      this.#buckets.set(name, { burst, tokenMs, left: left - pending, atMs: this.#now() });
    }
  }

  /** The cost of the reservations after one; of all, if there is none. */
  #costAfter(reservation: Reservation | undefined): number {
    let cost = 0;
    for (const each of this.#reservations) cost = each === reservation ? 0 : cost + each.cost;
    return cost;
  }
}

function refill(bucket: Bucket, now: number): void {
  const elapsedMs = Math.max(0, now - bucket.atMs);
  bucket.left = Math.min(bucket.burst, bucket.left + elapsedMs / bucket.tokenMs);
  bucket.atMs = now;
}
