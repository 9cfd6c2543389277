import type { Clock } from "../../../lib/clock.ts";
import type { StoreAnswer, StoreHandler, StoreRequest } from "../wire.ts";
import { askCopy } from "./ask-copy.ts";
import type { TouchedItem, WireItem } from "./touched-items.ts";

/** What an item became, undefined when it was deleted, and the instant from which this copy shows it. */
interface Change {
  readonly image: WireItem | undefined;
  readonly visibleAt: number;
}

export interface CopyOptions {
  /** Where the copy is kept. Nobody else writes to it. */
  readonly store: StoreHandler;
  /** The longest that a change takes to become visible. */
  readonly lagMs: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * A copy of a table's items that is behind. Every change becomes visible by itself, after a wait that is drawn for it, so
 * that changes of different items overtake each other. A change takes all earlier ones of its item with it: no item goes
 * back.
 */
export class LaggingCopy {
  readonly #options: CopyOptions;
  readonly #pending = new Map<string, { readonly item: TouchedItem; readonly changes: Change[] }>();
  #caughtUp: Promise<void> = Promise.resolve();

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  /** Takes note of what an item became. `since` is an instant, in epoch milliseconds, at which it was not that yet. */
  record(item: TouchedItem, image: WireItem | undefined, since: number): void {
    const { lagMs, random } = this.#options;
    const waiting = this.#pending.get(item.id) ?? { item, changes: [] };
    const waitMs = Math.ceil((1 - random()) * lagMs);
    waiting.changes.push({ image, visibleAt: since + waitMs });
    this.#pending.set(item.id, waiting);
  }

  /** Makes what is due visible. Throws `CopyRefused` when that cannot be. */
  catchUp(): Promise<void> {
    const caughtUp = this.#caughtUp.then(() => this.#applyDue());
    this.#caughtUp = caughtUp.catch(() => {});
    return caughtUp;
  }

  /** The answer to a read, from what is visible now. */
  async read(request: StoreRequest): Promise<StoreAnswer> {
    await this.catchUp();
    return this.#options.store(request);
  }

  /** A change waits until it is applied. */
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
