import { type TransactionQuery, type TransactionState, transactionRanks } from "./contract.ts";
import { CountinghouseError } from "./error.ts";
import { Follow, type FollowOptions, type FollowResume, notOfFollow } from "./follow.ts";
import { brokenInstantRule, epochMsOf, type Instant } from "./instant.ts";
import type { Platform } from "./platform.ts";
import { LOOK_MS, nothingIfMissing } from "./until-there.ts";

/** How transactions are followed. */
export interface FollowSinceOptions extends FollowOptions {
  /** Changes of this instant or later are given: those whose `updated_at` it is. Default: now. */
  readonly since?: Instant | undefined;
}

/** The members of a record by which its versions are told apart. */
type Versioned = Readonly<Record<"id" | "state" | "updated_at", string>>;

type Filters = Pick<TransactionQuery, "from" | "to" | "state">;

/** From where a follow has its records. */
export interface FollowSource<Item extends Versioned> {
  /** Lists what the filters find, newest first. */
  readonly list: (query: Filters) => AsyncIterable<Item>;
  /** One record. Rejects with the client's `not_found` when it is not there. */
  readonly get: (id: string) => Promise<Item>;
}

/** What has changed, by id. */
type Changes<Item> = Map<string, { readonly version: string; readonly item: Item }>;
/** A record may be listed this much later than its own instants say. */
const LISTED_LATE_MS = 3_600_000;
/** A change may come this much later than another one: the reference has the 14 days, after an outage. */
const LATE_MICROS = 15 * 86_400_000_000;
/** All records are listed again after a minute for each of so many, which is a page. */
const READ_A_MINUTE = 1_000;
/** The most versions that are remembered of what is not open, and the most changes that one look gives. */
const [SEEN_MAX, CHANGES_MAX] = [100_000, 10_000];
const ranks = new Map<string, number>(Object.entries(transactionRanks));
/** The states that a transaction soon leaves: what is completed hardly ever does. */
const openStates = (Object.keys(transactionRanks) as TransactionState[]).filter(
  (state) => transactionRanks[state] < transactionRanks.completed,
);

/** Transactions: what is new or open is listed every few seconds, everything at times, as what is completed may be reverted. */
export class TransactionFollow<Item extends Versioned> extends Follow<Item, FollowSource<Item>> {
  #sinceMicros: number;
  /** When everything is listed again, and since when all that is new was listed: both by this machine's clock. */
  #fullAtMs = Number.NEGATIVE_INFINITY;
  #listedMs = 0;

  /** @throws {TypeError} for options that cannot be meant. */
  constructor(
    source: FollowSource<Item>,
    platform: Pick<Platform, "now" | "sleep">,
    options: FollowSinceOptions = {},
  ) {
    super(source, platform, options, { everyMs: LOOK_MS, known: /^\d{18}#[\d?]$/ });
    const { since = platform.now(), resume } = options;
    const micros = resume === undefined ? epochMsOf(since) * 1000 : resume.sinceMicros;
    if (!Number.isSafeInteger(micros))
      throw resume === undefined ? new TypeError(`since: ${brokenInstantRule(since)}.`) : notOfFollow();
    this.#sinceMicros = Number(micros);
  }

  override get resume(): FollowResume {
    return { sinceMicros: this.#sinceMicros, ...super.resume };
  }

  protected override async *look(): AsyncGenerator<Item, number, undefined> {
    const startedMs = this.now();
    const isFull = startedMs >= this.#fullAtMs;
    // What is created since the look before, or was listed late, and what is open among the rest.
    const from = new Date(this.#listedMs - LISTED_LATE_MS);
    const queries = isFull ? [{}] : [{ from }, { to: from, state: openStates }];
    const { changes, read, isWhole } = await this.#read(queries);
    for (const { version, item } of changes) {
      this.signal?.throwIfAborted();
      this.seen.set(item.id, version);
      yield item;
    }
    if (isWhole) this.#listedMs = startedMs;
    if (isWhole && isFull) this.#fullAtMs = startedMs + Math.max(1, read / READ_A_MINUTE) * 60_000;
    // What was found and dropped is later than every change that was given.
    if (isFull) this.#forget(isWhole ? Number.POSITIVE_INFINITY : microsOf(changes.at(-1)?.version));
    return isWhole ? this.everyMs : 0;
  }

  /** Finds the oldest changes, in the order in which they happened; `isWhole` where there are no others. */
  async #read(queries: readonly Filters[]) {
    const found: Changes<Item> = new Map();
    const inOrder = () => [...found.values()].sort((one, other) => (one.version < other.version ? -1 : 1));
    const notListed = new Set([...this.seen].filter(([, version]) => isOpen(version)).map(([id]) => id));
    let [read, isWhole] = [0, true];
    const dropNewest = (): void => {
      isWhole &&= found.size <= CHANGES_MAX;
      for (const { item } of inOrder().slice(CHANGES_MAX)) found.delete(item.id);
    };
    for (const query of queries)
      for await (const item of this.source.list(query)) {
        read += 1;
        notListed.delete(item.id);
        this.#find(found, item);
        if (found.size >= 2 * CHANGES_MAX) dropNewest();
      }
    for (const id of notListed) {
      const item = await this.source.get(id).catch(nothingIfMissing);
      if (item === undefined) this.seen.delete(id);
      else this.#find(found, item);
    }
    dropNewest();
    return { changes: inOrder(), read, isWhole };
  }

  /** Keeps a record that has changed. One that did so before the follow began is only remembered, while it is open. */
  #find(found: Changes<Item>, item: Item): void {
    const version = versionOf(item);
    const known = found.get(item.id)?.version ?? this.seen.get(item.id);
    const isNew = known === undefined ? microsOf(version) >= this.#sinceMicros : version > known;
    if (isNew) found.set(item.id, { version, item });
    else if (known === undefined && isOpen(version)) this.seen.set(item.id, version);
  }

  /** Forgets what need not be known for the next looks. @param lastMicros the last change that was given of what was found. */
  #forget(lastMicros: number): void {
    const versions = [...this.seen.values()].toSorted();
    const least = Math.max(microsOf(versions.at(-1)) - LATE_MICROS, microsOf(versions.at(-SEEN_MAX)));
    this.#sinceMicros = Math.max(this.#sinceMicros, Math.min(least, lastMicros));
    for (const [id, version] of this.seen)
      if (microsOf(version) < this.#sinceMicros && !isOpen(version)) this.seen.delete(id);
  }
}

/**
 * The version of a record: it sorts as the service orders versions, by the instant in 18 digits of microseconds and then by
 * state. A state that is not known may be anywhere on the way, and sorts after every other one.
 */
function versionOf({ state, updated_at: instant }: Versioned): string {
  const [, fraction = ""] = /\.(\d+)/.exec(instant) ?? [];
  const seconds = Date.parse(instant.replace(/\.\d+/, "")) / 1000;
  if (Number.isNaN(seconds))
    throw new CountinghouseError(`updated_at: ${JSON.stringify(instant)} is not an instant.`, {
      code: "unexpected_answer",
    });
  const micros = seconds * 1_000_000 + Number(fraction.slice(0, 6).padEnd(6, "0"));
  return `${String(micros).padStart(18, "0")}#${ranks.get(state) ?? "?"}`;
}

/** The instant of a version, in microseconds since 1970. */
const microsOf = (version = ""): number => Number(version.slice(0, 18));

const isOpen = (version: string): boolean => !(Number(version.at(-1)) >= transactionRanks.completed);
