import type { BucketDescription } from "../../lib/rate-limit/token-bucket.ts";

/**
 * Token budgets as the contract defines them: a bucket holds tokens, they flow back evenly, and a request is paid from
 * all buckets or from none. Tokens are counted by the milliseconds in which they flow back, so nothing is rounded.
 */
export class ExactBudget {
  readonly #buckets: { readonly fullMs: number; readonly tokenMs: number; heldMs: number }[];
  #now: number;

  constructor(settings: readonly BucketDescription[], now: number) {
    this.#now = now;
    this.#buckets = settings.map(({ burst, refillTokens, refillWindowMs }) => {
      const tokenMs = refillWindowMs / refillTokens;
      return { fullMs: burst * tokenMs, tokenMs, heldMs: burst * tokenMs };
    });
  }

  /** Moves the time on to `now`. */
  advance(now: number): void {
    for (const bucket of this.#buckets)
      bucket.heldMs = Math.min(bucket.fullMs, bucket.heldMs + now - this.#now);
    this.#now = now;
  }

  /** How long a request has to wait; 0 when the tokens are there. */
  waitMs(cost: number): number {
    return Math.max(0, ...this.#buckets.map(({ tokenMs, heldMs }) => cost * tokenMs - heldMs));
  }

  spend(cost: number): void {
    for (const bucket of this.#buckets) bucket.heldMs -= cost * bucket.tokenMs;
  }

  /** Whole tokens in each bucket. */
  tokens(): number[] {
    return this.#buckets.map(({ tokenMs, heldMs }) => Math.floor(heldMs / tokenMs));
  }
}
