/** A map that keeps only the entries that were set last, up to a maximum. */
export class RecentMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#max) this.#entries.delete(this.#oldest);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** By a new iterator each time: one that is kept keeps in memory whatever the map has held since its last step. */
  get #oldest(): Key {
    return this.#entries.keys().next().value as Key;
  }
}
