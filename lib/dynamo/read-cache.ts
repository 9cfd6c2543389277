import { type Clock, isWithin, type Mark, markerOf } from "../clock.ts";
import { RecentMap } from "../recent-map.ts";

const FRESH_MS = 5_000;
const ENTRIES_MAX = 1_000;

/**
 * Remembers values for five seconds after their read, for at most a thousand keys; the least recently used go first.
 * Absence (`undefined`) is never remembered, and a failed read is never answered with a value that is no longer fresh.
 * Neither a change of the machine's clock nor a freeze keeps a value longer.
 */
export class ReadCache<Value> {
  readonly #entries = new RecentMap<string, { readonly value: Value; readonly readAt: Mark }>(ENTRIES_MAX);
  readonly #mark: () => Mark;

  constructor(clock: Clock, steady?: Clock) {
    this.#mark = markerOf(clock, steady);
  }

  /**
   * The value of a key, from memory while it is fresh, else from `read`, whose error is thrown on.
   *
   * @param freshMs how old the value may be here, of five seconds at most.
   */
  async get(
    key: string,
    read: () => Promise<Value | undefined>,
    freshMs = FRESH_MS,
  ): Promise<Value | undefined> {
    // The age counts from before the read: the answer may be as old as the question.
    const now = this.#mark();
    const known = this.#entries.get(key);
    if (known !== undefined && isWithin(freshMs, known.readAt, now)) {
      this.#entries.set(key, known);
      return known.value;
    }
    if (known !== undefined && !isWithin(FRESH_MS, known.readAt, now)) this.#entries.delete(key);
    const value = await read();
    if (value === undefined) this.#entries.delete(key);
    else this.#entries.set(key, { value, readAt: now });
    return value;
  }
}
