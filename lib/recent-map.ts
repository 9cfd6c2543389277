/** A map that keeps only the entries that were set last, up to a maximum. */
export class RecentMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  /** Stands at the oldest entry: a new iterator would pass every entry that was deleted there, each time. */
  readonly #oldest = this.#entries.keys();
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
    if (this.#entries.size > this.#max) this.#entries.delete(this.#oldest.next().value as Key);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
