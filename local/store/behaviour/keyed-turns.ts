/** Lets those who name the same key act one after the other, and all others at the same time. */
export class KeyedTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Acts when everybody who named one of the keys before is done. Nobody can wait in a circle: all keys of a turn are
   * queued for at once.
   */
  async take<Result>(keys: readonly string[], act: () => Promise<Result>): Promise<Result> {
    const before = Promise.all(keys.map(async (key) => this.#last.get(key)));
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    for (const key of keys) this.#last.set(key, done);
    await before;
    try {
      return await act();
    } finally {
      finish();
      for (const key of keys) if (this.#last.get(key) === done) this.#last.delete(key);
    }
  }
}
