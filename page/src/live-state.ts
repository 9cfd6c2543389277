/** A value that changes, and that parts of the page show. */
export class LiveState<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  /** Replaces the value and tells everybody who listens. */
  set(value: Value): void {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  /** Replaces some members of the value. */
  change(members: Partial<Value>): void {
    this.set({ ...this.#value, ...members });
  }

  /** Calls a function after each change. @returns what ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
