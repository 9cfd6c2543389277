/** Whose a task is: of which owner, and brought by which message. */
export interface Turn {
  readonly owner: string;
  readonly messageId: string;
}

/** It must not reject. */
type Task = () => Promise<void>;

/**
 * Runs a limited number of tasks at once. Owners take turns for the places, and so do the messages of an owner. An owner with
 * no task under way may always begin one: others may hold all places for long, such as while their table throttles.
 */
export class FairTasks {
  readonly #places: number;
  /** By owner and message. Maps keep the order in which their keys came: the first one is the next. */
  readonly #waiting = new Map<string, Map<string, Task[]>>();
  /** How many are under way, by owner. */
  readonly #underWay = new Map<string, number>();
  #onEnd = (): void => {};

  constructor(places: number) {
    this.#places = places;
  }

  /** Adds a task, which begins when its turn has come. */
  add({ owner, messageId }: Turn, task: Task): void {
    const messages = this.#waiting.get(owner) ?? new Map<string, Task[]>();
    const tasks = messages.get(messageId) ?? [];
    this.#waiting.set(owner, messages);
    messages.set(messageId, tasks);
    tasks.push(task);
    this.#goOn();
  }

  /** Resolves when all tasks have ended, those that tasks added too. Only one caller may wait. */
  async end(): Promise<void> {
    if (this.#underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEnd = resolve;
    });
  }

  #goOn(): void {
    for (let owner = this.#nextOwner(); owner !== undefined; owner = this.#nextOwner())
      void this.#run(owner, this.#take(owner));
    if (this.#underWay.size === 0) this.#onEnd();
  }

  #nextOwner(): string | undefined {
    const underWay = [...this.#underWay.values()].reduce((sum, count) => sum + count, 0);
    const isFull = underWay >= this.#places;
    for (const owner of this.#waiting.keys()) if (!isFull || !this.#underWay.has(owner)) return owner;
    return undefined;
  }

  /** Takes the next task of an owner, and puts its message and the owner behind the others. */
  #take(owner: string): Task | undefined {
    const messages = this.#waiting.get(owner);
    const [[messageId, tasks] = ["", []]] = messages ?? [];
    const task = tasks.shift();
    messages?.delete(messageId);
    if (tasks.length > 0) messages?.set(messageId, tasks);
    this.#waiting.delete(owner);
    if (messages !== undefined && messages.size > 0) this.#waiting.set(owner, messages);
    return task;
  }

  async #run(owner: string, task: Task | undefined): Promise<void> {
    this.#underWay.set(owner, (this.#underWay.get(owner) ?? 0) + 1);
    await task?.();
    const others = (this.#underWay.get(owner) ?? 0) - 1;
    if (others > 0) this.#underWay.set(owner, others);
    else this.#underWay.delete(owner);
    this.#goOn();
  }
}
