/** Runs actions that name the same key one after the other, and all others at the same time. */
export class KeyedTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs an action when all earlier actions that named one of its keys are done. Actions cannot wait for each other in
   * a circle, because an action queues for all of its keys at once.
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
