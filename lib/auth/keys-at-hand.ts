import { ageMs, CLOCKS_APART_MAX_MS, isWithin, type Mark, markOf } from "../clock.ts";
import type { KeptKeySet } from "./kept-key-set.ts";
import { type PublishedKey, readPublishedKeys } from "./published-keys.ts";

const FRESH_MS = 10 * 60_000;
/** While an issuer is down, its last good keys serve for a day. */
const USABLE_MS = 24 * 3_600_000;

/** The keys of one issuer that a process has, and the instant at which they were asked for. */
export class KeysAtHand {
  readonly #mark: () => Mark;
  #keys: readonly PublishedKey[] = [];
  #fetchedAt: Mark | undefined;

  /** @param mark marks the current instant. */
  constructor(mark: () => Mark) {
    this.#mark = mark;
  }

  /** Takes the keys of a text that was asked for at an instant. @throws {Error} for a text without any key. */
  take(text: string, fetchedAt: Mark): void {
    this.#keys = readPublishedKeys(text);
    this.#fetchedAt = fetchedAt;
  }

  /**
   * Takes a kept set over if it is newer than the keys at hand. A set is left that cannot be read, or that claims to be of
   * a time to come, which would let it serve for longer.
   */
  adopt({ text, fetchedAt: fetchedMs }: KeptKeySet): void {
    const now = this.#mark();
    if (fetchedMs > now.wallMs + CLOCKS_APART_MAX_MS) return;
    const fetchedAt = markOf(fetchedMs, now);
    if (this.#fetchedAt !== undefined && ageMs(fetchedAt, now) >= ageMs(this.#fetchedAt, now)) return;
    try {
      this.take(text, fetchedAt);
    } catch {
      // A damaged set is worth no more than none.
    }
  }

  /** The keys; none once they are too old to be trusted. */
  usable(): readonly PublishedKey[] {
    if (this.#fetchedAt !== undefined && ageMs(this.#fetchedAt, this.#mark()) > USABLE_MS) this.#keys = [];
    return this.#keys;
  }

  /** Whether the keys are new enough to be used without another look at the issuer. */
  isFresh(): boolean {
    return this.#fetchedAt !== undefined && isWithin(FRESH_MS, this.#fetchedAt, this.#mark());
  }
}
