import type { FunctionPool } from "../runtime/function-pool.ts";
import type { FaultyIdentity } from "../store/store-fault.ts";
import type { FunctionDefinition } from "../template/template-function.ts";
import type { ServedEndpoint } from "./find-routes.ts";
import { type SpoiledStore, spoiledIdentity } from "./spoiled-store.ts";

/** Starts one more pool of a function. `change` says what the store has to know of the pool's access key. */
export type StartSpoiledPool = (
  functionName: string,
  change: (definition: FunctionDefinition) => Partial<FaultyIdentity>,
) => Promise<FunctionPool>;

/** Environments of functions for which the store is spoiled, beside those that answer as usual. */
export class SpoiledPools {
  readonly #start: StartSpoiledPool;
  /** By function and kind. */
  readonly #pools = new Map<string, Map<SpoiledStore, Promise<FunctionPool>>>();

  constructor(start: StartSpoiledPool) {
    this.#start = start;
  }

  /** Starts the environments of an endpoint's function, unless they run, and waits until the first has loaded. */
  async open({ endpoint, route: { functionName } }: ServedEndpoint, spoiled: SpoiledStore): Promise<void> {
    const pools = this.#pools.get(functionName) ?? new Map<SpoiledStore, Promise<FunctionPool>>();
    this.#pools.set(functionName, pools);
    const pool =
      pools.get(spoiled) ??
      this.#start(functionName, (definition) => spoiledIdentity(spoiled, endpoint, definition));
    pools.set(spoiled, pool);
    await pool;
  }

  /** The environments of a function that `open` has started. */
  async of(functionName: string, spoiled: SpoiledStore): Promise<FunctionPool | undefined> {
    return await this.#pools.get(functionName)?.get(spoiled);
  }

  /** Ends the environments of some endpoints' functions, each once it has no request. */
  async retire(served: readonly ServedEndpoint[]): Promise<void> {
    await Promise.all(this.#take(served).map(async (pool) => (await pool).retire()));
  }

  /** Ends the environments of some endpoints' functions at once. */
  async close(served: readonly ServedEndpoint[]): Promise<void> {
    await Promise.all(this.#take(served).map(async (pool) => (await pool).close()));
  }

  #take(served: readonly ServedEndpoint[]): readonly Promise<FunctionPool>[] {
    return served.flatMap(({ route: { functionName } }) => {
      const pools = [...(this.#pools.get(functionName)?.values() ?? [])];
      this.#pools.delete(functionName);
      return pools;
    });
  }
}
