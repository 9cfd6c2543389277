import type { TransactionQuery } from "./contract.ts";
import { beginningOf, type FollowOptions, type FollowResume } from "./follow-options.ts";
import { inTime } from "./in-time.ts";
import type { Platform } from "./platform.ts";
import {
  CHANGES_MAX,
  type Change,
  dropNewest,
  inOrder,
  isOpen,
  microsOf,
  openStates,
  type Versioned,
  versionOf,
} from "./transaction-version.ts";
import { LOOK_MS, nothingIfMissing } from "./until-there.ts";

/** From where a follow has its records. */
export interface FollowSource<Item extends Versioned> {
  /** Lists what the filters find, newest first. */
  readonly list: (query: Pick<TransactionQuery, "from" | "to" | "state">) => AsyncIterable<Item>;
  /** One record. Rejects with the client's `not_found` when it is not there. */
  readonly get: (id: string) => Promise<Item>;
}

/** What one look has found. */
interface Look<Item> {
  readonly startedMs: number;
  readonly isFull: boolean;
  /** Whether all that was found is in `changes`. */
  readonly isWhole: boolean;
  readonly read: number;
  /** In the order in which they happened. */
  readonly changes: readonly Change<Item>[];
}

/** A record may be listed this much later than its own instants say. */
const LISTED_LATE_MS = 3_600_000;
/** A change may come this much later than another one: the reference has the 14 days, after an outage. */
const LATE_MICROS = 15 * 86_400_000_000;
/** All records are listed again after a minute for each of so many, which is a page. */
const READ_A_MINUTE = 1_000;
/** The most versions that are remembered of what is not open. */
const SEEN_MAX = 100_000;

/**
 * The changes of a business's transactions as they come, each version that is seen once. What is new or open is listed
 * every few seconds, and everything at times, because what is completed may be reverted. `resume` goes on right after the
 * last one that was given. A failure or an abort ends the loop; another loop over the same follow goes on.
 */
export class Follow<Item extends Versioned> implements AsyncIterable<Item> {
  readonly #source: FollowSource<Item>;
  readonly #platform: Pick<Platform, "now" | "sleep">;
  readonly #options: FollowOptions;
  #sinceMicros: number;
  readonly #seen: Map<string, string>;
  /** When everything is listed again, and since when all that is new was listed: both by this machine's clock. */
  #fullAtMs = Number.NEGATIVE_INFINITY;
  #listedMs = 0;

  /** @throws {TypeError} for options that cannot be meant. */
  constructor(
    source: FollowSource<Item>,
    platform: Pick<Platform, "now" | "sleep">,
    options: FollowOptions = {},
  ) {
    this.#source = source;
    this.#platform = platform;
    this.#options = options;
    const { sinceMicros, seen } = beginningOf(options, platform.now);
    this.#sinceMicros = sinceMicros;
    this.#seen = new Map(Object.entries(seen));
  }

  /** Goes on right after the last change that was given: nothing is repeated, nothing is lost. */
  get resume(): FollowResume {
    return { sinceMicros: this.#sinceMicros, seen: Object.fromEntries(this.#seen) };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { signal, everyMs = LOOK_MS } = this.#options;
    for (;;) {
      signal?.throwIfAborted();
      const look = await this.#look();
      for (const { version, item } of look.changes) {
        signal?.throwIfAborted();
        this.#seen.set(item.id, version);
        yield item;
      }
      this.#settle(look);
      if (look.isWhole) await inTime(async (stop) => await this.#platform.sleep(everyMs, stop), { signal });
    }
  }

  async #look(): Promise<Look<Item>> {
    const startedMs = this.#platform.now();
    const isFull = startedMs >= this.#fullAtMs;
    const found = new Map<string, Change<Item>>();
    const notListed = new Set([...this.#seen].filter(([, version]) => isOpen(version)).map(([id]) => id));
    let [read, isWhole] = [0, true];
    for (const query of isFull ? [{}] : this.#newOrOpen())
      for await (const item of this.#source.list(query)) {
        read += 1;
        notListed.delete(item.id);
        this.#find(found, item);
        if (found.size >= 2 * CHANGES_MAX) isWhole = !dropNewest(found);
      }
    for (const id of notListed) {
      const item = await this.#source.get(id).catch(nothingIfMissing);
      if (item === undefined) this.#seen.delete(id);
      else this.#find(found, item);
    }
    isWhole = !dropNewest(found) && isWhole;
    return { startedMs, isFull, isWhole, read, changes: inOrder(found) };
  }

  /** What is created since the look before, or was listed late, and what is open among the rest. */
  #newOrOpen(): readonly Pick<TransactionQuery, "from" | "to" | "state">[] {
    const from = new Date(this.#listedMs - LISTED_LATE_MS);
    return [{ from }, { to: from, state: openStates }];
  }

  /** Keeps a record that has changed. One that did so before the follow began is only remembered, while it is open. */
  #find(found: Map<string, Change<Item>>, item: Item): void {
    const version = versionOf(item);
    const known = found.get(item.id)?.version ?? this.#seen.get(item.id);
    const isNew = known === undefined ? microsOf(version) >= this.#sinceMicros : version > known;
    if (isNew) found.set(item.id, { version, item });
    else if (known === undefined && isOpen(version)) this.#seen.set(item.id, version);
  }

  /** Forgets what need not be known for the next looks, once the changes of a look were given. */
  #settle({ startedMs, isFull, isWhole, read, changes }: Look<Item>): void {
    if (isWhole) this.#listedMs = startedMs;
    if (!isFull) return;
    if (isWhole) this.#fullAtMs = startedMs + Math.max(1, read / READ_A_MINUTE) * 60_000;
    const versions = [...this.#seen.values()].toSorted();
    const late = microsOf(versions.at(-1) ?? "") - LATE_MICROS;
    const crowded = microsOf(versions.at(-SEEN_MAX) ?? "");
    // What was found and dropped is later than every change that was given.
    const last = isWhole ? Number.POSITIVE_INFINITY : microsOf(changes.at(-1)?.version ?? "");
    this.#forget(Math.min(Math.max(late, crowded), last));
  }

  #forget(sinceMicros: number): void {
    this.#sinceMicros = Math.max(this.#sinceMicros, sinceMicros);
    for (const [id, version] of this.#seen)
      if (microsOf(version) < this.#sinceMicros && !isOpen(version)) this.#seen.delete(id);
  }
}
