/**
 * Runs a limited number of tasks at once. It does not wait for a place with `Promise.race`, which would add a reaction
 * to each running task at every call: on a slow task they would pile up until it ends.
 */
export class BoundedTasks {
  readonly #most: number;
  readonly #underWay = new Set<Promise<void>>();
  #onPlace: (() => void) | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Begins a task, which must not reject, and resolves once another may begin. Only one caller may wait at a time. */
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

  /** Resolves when all running tasks have ended. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
