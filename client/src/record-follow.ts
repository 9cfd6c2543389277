import { Follow } from "./follow.ts";
import { holdTo, manyTexts, needed } from "./rules.ts";

/** What a look at one record has found. */
export interface Looked<Item> {
  /** What is known of it at the next look; undefined where there is no such record. */
  readonly seen: string | undefined;
  /** The record, if it has changed. */
  readonly change?: Item | undefined;
  /** Milliseconds until the next look, infinite for none. Default: `everyMs` of the follow. */
  readonly againMs?: number;
}

/** What is looked at, and how. */
export interface RecordSource<Item> {
  /** Read at each look: one that grows is followed as it grows. */
  readonly ids: Iterable<string>;
  readonly lookAt: (id: string, seen: string | undefined) => Promise<Looked<Item>>;
}

/** Records that are read by their ids, each in its own time. The loop ends once none of them is looked at any more. */
export class RecordFollow<Item> extends Follow<Item, RecordSource<Item>> {
  readonly #dueMs = new Map<string, number>();

  /** @throws {TypeError} for ids and options that cannot be meant. */
  constructor(...given: ConstructorParameters<typeof Follow<Item, RecordSource<Item>>>) {
    super(...given);
    holdTo({ ids: needed(manyTexts) }, this.source);
  }

  protected override async *look(): AsyncGenerator<Item, number | undefined, undefined> {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const id of new Set(this.source.ids)) {
      if ((this.#dueMs.get(id) ?? 0) <= this.now()) {
        // After a failure, the others have their turn first.
        this.#dueMs.set(id, this.now() + this.everyMs);
        const { seen, change, againMs = this.everyMs } = await this.source.lookAt(id, this.seen.get(id));
        this.#dueMs.set(id, this.now() + againMs);
        if (seen === undefined) this.seen.delete(id);
        else this.seen.set(id, seen);
        if (change !== undefined) yield change;
      }
      nextMs = Math.min(nextMs, this.#dueMs.get(id) ?? nextMs);
    }
    if (nextMs === Number.POSITIVE_INFINITY) return undefined;
    return Math.max(1, Math.min(this.everyMs, nextMs - this.now()));
  }
}
