import { type Bucket, charge, type FullAgainAt, waitMs } from "../../lib/rate-limit/token-bucket.ts";

/** Owners with a limit each, which is decided by the rules that the functions use. */
export class Owners {
  readonly #buckets: readonly Bucket[];
  readonly #states: FullAgainAt[];
  /** Tokens that all owners were charged so far. */
  charged = 0;

  constructor(count: number, buckets: readonly Bucket[]) {
    this.#buckets = buckets;
    this.#states = Array.from({ length: count }, () => ({}));
  }

  /** Charges an owner; false, and nothing is charged, when its buckets do not have the tokens. */
  admit(owner: number, tokens: number, now: number): boolean {
    const state = this.#states[owner] ?? {};
    if (waitMs(this.#buckets, state, now, tokens) > 0) return false;
    this.#states[owner] = charge(this.#buckets, state, now, tokens);
    this.charged += tokens;
    return true;
  }
}
