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

const ITEM = /"([^"]*)"((?:\s*;\s*[a-z]+=\d+)+)/g;

/** The items of a `RateLimit` or `RateLimit-Policy` header by name, each with its numbers. */
export function readItems(header: string | null): Map<string, Readonly<Record<string, number>>> {
  const items = [...(header ?? "").matchAll(ITEM)].map(([, name = "", numbers = ""]) => {
    const pairs = [...numbers.matchAll(/([a-z]+)=(\d+)/g)].map(([, key = "", text]) => [key, Number(text)]);
    return [name, Object.fromEntries(pairs) as Record<string, number>] as const;
  });
  return new Map(items);
}

/**
 * The tokens of a limit, as its answers describe them in `RateLimit` and `RateLimit-Policy`. A request reserves its cost
 * and waits until the tokens are there, so that a client that is alone hardly ever meets a 429.
 */
export class Budget {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  /** Cost of the requests that were reserved and are not answered yet. */
  #pending = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reserves the cost of a request. @returns how long to wait before it is sent, in milliseconds. */
  reserve(cost: number): number {
    this.#pending += cost;
    const waits = [...this.#buckets.values()].map((bucket) => {
      refill(bucket, this.#now());
      bucket.left -= cost;
      return bucket.left < 0 ? Math.ceil(-bucket.left * bucket.tokenMs) : 0;
    });
    return Math.max(0, ...waits);
  }

  /** Ends a reservation: the request was answered with these headers, or it failed and had none. */
  settle(cost: number, headers?: Headers): void {
    this.#pending -= cost;
    if (headers === undefined) return;
    const policies = readItems(headers.get("RateLimit-Policy"));
    for (const [name, { r: left }] of readItems(headers.get("RateLimit"))) {
      const { q: burst = 0, w: windowS = 0 } = policies.get(name) ?? {};
      if (left === undefined || burst === 0) continue;
      const tokenMs = (1000 * windowS) / burst;
      // The service may or may not have charged the requests under way: it is assumed that it will.
      this.#buckets.set(name, { burst, tokenMs, left: left - this.#pending, atMs: this.#now() });
    }
  }
}

function refill(bucket: Bucket, now: number): void {
  const elapsedMs = Math.max(0, now - bucket.atMs);
  bucket.left = Math.min(bucket.burst, bucket.left + elapsedMs / bucket.tokenMs);
  bucket.atMs = now;
}
