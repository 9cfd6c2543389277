import { availableParallelism } from "node:os";
import type { FunctionPool } from "../../local/runtime/function-pool.ts";

/** Environments of all worlds together that stay without a request. Each takes some 25 MB, and 0.2 s to start. */
const KEPT_MAX = 64;

/** A pool as far as a room knows it. */
export type Roomer = Pick<FunctionPool, "size" | "warm" | "endIdle">;

/**
 * The cores and the memory of the machine, for the functions of many worlds. As many environments load at once as there
 * are cores: with all at once, each would take so long that its request fails. When too many wait for requests, those of
 * the function that was called longest ago end.
 */
export class Room {
  readonly #keptMax: number;
  /** The end of the loads that began last, on each core. */
  readonly #turns = Array.from({ length: availableParallelism() }, () => Promise.resolve());
  #loads = 0;
  /** Those with environments; the one that was called last comes last. */
  readonly #pools = new Set<Roomer>();

  constructor(keptMax = KEPT_MAX) {
    this.#keptMax = keptMax;
  }

  /** Calls a function, once an environment of its pool has loaded. The wait counts for no timeout. */
  async call<Answer>(pool: Roomer, invoke: () => Promise<Answer>): Promise<Answer> {
    if (pool.size === 0) await this.#load(pool);
    try {
      return await invoke();
    } finally {
      this.#pools.delete(pool);
      this.#pools.add(pool);
      this.#endForgotten();
    }
  }

  #load(pool: Roomer): Promise<void> {
    const core = this.#loads % this.#turns.length;
    this.#loads += 1;
    // A bundle that does not load is told by the request that comes next.
    const turn = (this.#turns[core] as Promise<void>).then(() => pool.warm()).catch(() => {});
    this.#turns[core] = turn;
    return turn;
  }

  #endForgotten(): void {
    let count = 0;
    for (const pool of this.#pools) {
      if (pool.size === 0) this.#pools.delete(pool);
      count += pool.size;
    }
    for (const pool of this.#pools) {
      if (count <= this.#keptMax) return;
      count -= pool.size;
      void pool.endIdle(0);
      count += pool.size;
    }
  }
}
