import type { Clock } from "../../../lib/clock.ts";
import type { StoreAnswer, StoreHandler, StoreInput, StoreOperation, StoreRequest } from "../wire.ts";
import type { TouchedItem, WireItem } from "./touched-items.ts";

/** The store of a copy refused a request about data that the engine has. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused";
}

/** Sends a request to the store of a copy. Throws `CopyRefused` when the store refuses it. */
export async function askCopy(
  store: StoreHandler,
  operation: StoreOperation,
  input: StoreInput,
): Promise<StoreAnswer["body"]> {
  const { status, body } = await store({ operation, input });
  if (status !== 200) throw new CopyRefused(`A copy refused ${operation}: ${JSON.stringify(body)}`);
  return body;
}

/** An item as a write left it (undefined when deleted), and the instant from which the copy shows it. */
interface Change {
  readonly image: WireItem | undefined;
  readonly visibleAt: number;
}

export interface CopyOptions {
  /** The store that holds the copy. Only the copy writes to it. */
  readonly store: StoreHandler;
  /** The longest that a change takes to become visible. */
  readonly lagMs: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * A copy of a table's items that lags behind the table. Every change becomes visible after a random wait of its own, so
 * that changes of different items overtake each other. A change replaces all earlier ones of its item, so that an item
 * never goes back to an older state.
 */
export class LaggingCopy {
  readonly #options: CopyOptions;
  readonly #pending = new Map<string, { readonly item: TouchedItem; readonly changes: Change[] }>();
  #caughtUp: Promise<void> = Promise.resolve();

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  /**
   * Records an item as a write left it, and applies the changes that are due, so that they do not pile up without reads.
   * `since` is an instant before the write, in epoch milliseconds. Throws `CopyRefused`.
   */
  follow(item: TouchedItem, image: WireItem | undefined, since: number): Promise<void> {
    const { lagMs, random } = this.#options;
    const waiting = this.#pending.get(item.id) ?? { item, changes: [] };
    const waitMs = Math.ceil((1 - random()) * lagMs);
    waiting.changes.push({ image, visibleAt: since + waitMs });
    this.#pending.set(item.id, waiting);
    return this.#catchUp();
  }

  /** Applies the changes that are due. Throws `CopyRefused` when the store of the copy refuses one. */
  #catchUp(): Promise<void> {
    const caughtUp = this.#caughtUp.then(() => this.#applyDue());
    this.#caughtUp = caughtUp.catch(() => {});
    return caughtUp;
  }

  /** Answers a read from the changes that are visible now. */
  async read(request: StoreRequest): Promise<StoreAnswer> {
    await this.#catchUp();
    return this.#options.store(request);
  }

  /** Applies the changes that are due. A change stays pending until it is applied. */
  async #applyDue(): Promise<void> {
    const now = this.#options.clock();
    for (const [id, { item, changes }] of this.#pending) {
      const due = changes.findLastIndex(({ visibleAt }) => visibleAt <= now) + 1;
      const latest = changes[due - 1];
      if (latest === undefined) continue;
      await this.#apply(item, latest.image);
      changes.splice(0, due);
      if (changes.length === 0) this.#pending.delete(id);
    }
  }

  async #apply({ tableName: TableName, key: Key }: TouchedItem, Item: WireItem | undefined): Promise<void> {
    const { store } = this.#options;
    if (Item === undefined) await askCopy(store, "DeleteItem", { TableName, Key });
    else await askCopy(store, "PutItem", { TableName, Item });
  }
}
