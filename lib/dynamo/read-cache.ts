import { type Clock, isWithin, type Mark, markerOf } from "../clock.ts";
import { RecentMap } from "../recent-map.ts";

const FRESH_MS = 5_000;
const ENTRIES_MAX = 1_000;

/**
 * Remembers what was read for five seconds, for at most a thousand keys, the least recently used going first. What is
 * absent (`undefined`) is never remembered, and a failed read is never answered with what is no longer fresh. Setting the
 * machine's clock keeps nothing longer, nor does a freeze.
 */
export class ReadCache<Value> {
  readonly #entries = new RecentMap<string, { readonly value: Value; readonly readAt: Mark }>(ENTRIES_MAX);
  readonly #mark: () => Mark;

  constructor(clock: Clock, steady?: Clock) {
    this.#mark = markerOf(clock, steady);
  }

  /** The value of a key, from memory while it is fresh, else from `read`, whose failure is thrown on. */
  async get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    // The age counts from before the read: what the store said cannot be younger than the question.
    const now = this.#mark();
    const known = this.#entries.get(key);
    if (known !== undefined && isWithin(FRESH_MS, known.readAt, now)) {
      this.#entries.set(key, known);
      return known.value;
    }
    this.#entries.delete(key);
    const value = await read();
    if (value !== undefined) this.#entries.set(key, { value, readAt: now });
    return value;
  }
}
