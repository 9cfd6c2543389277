/**
 * Runs tasks, so many at once. Waiting for a place leaves nothing behind: `Promise.race` over the tasks would hang a
 * reaction on each of them at every call, and those on a task that takes long would pile up until it ends.
 */
export class BoundedTasks {
  readonly #most: number;
  readonly #underWay = new Set<Promise<void>>();
  #onPlace: (() => void) | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Begins a task, which must not reject, and resolves once another one may begin. For one caller at a time. */
  async run(task: () => Promise<void>): Promise<void> {
    const running = task().finally(() => {
      this.#underWay.delete(running);
      this.#onPlace?.();
    });
    this.#underWay.add(running);
    if (this.#underWay.size < this.#most) return;
    await new Promise<void>((resolve) => {
      this.#onPlace = resolve;
    });
  }

  /** Resolves when all that are under way have ended. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
