import type { Clock } from "../../../lib/clock.ts";
import type { Item } from "../../../lib/dynamo/item.ts";
import { Gathered } from "./gathered.ts";
import { newImportId } from "./import-id.ts";
import {
  type ImportHead,
  type ImportOutcome,
  type ImportRegister,
  JournalErased,
} from "./import-register.ts";
import { itemDigest, type JournalEntry, packEntries } from "./journal-entry.ts";

/** What an import is about, and how its journal is kept. */
export interface JournalSettings extends Pick<ImportHead, "kind" | "owner"> {
  readonly register: ImportRegister;
  /** The person who imports, asked for once something is to be stored. */
  readonly actor: () => Promise<string>;
  readonly clock: Clock;
}

/**
 * Keeps what is needed to take an import back: for each record that it stores the key, the digest of the new item, and
 * the item that was replaced. An entry is stored before what it announces. The import gets its id with the first
 * entry, so an import that stores nothing has none.
 */
export class ImportJournal {
  readonly #settings: JournalSettings;
  readonly #entries: Gathered<JournalEntry, undefined>;
  #head: Promise<ImportHead> | undefined;
  #partCount = 0;
  #isErased = false;
  /** Written with the next entries: nothing is lost without them but certainty. */
  #voided: JournalEntry[] = [];

  constructor(settings: JournalSettings) {
    this.#settings = settings;
    this.#entries = new Gathered((entries) => this.#write(entries));
  }

  /** The import's id; undefined when it was never about to store anything, or was erased meanwhile. */
  async id(): Promise<string | undefined> {
    if (this.#isErased) return undefined;
    return (await this.#head?.catch(() => undefined))?.id;
  }

  /** Announces an item that is about to be put, in place of another or of none. Resolves when the store has the entry. */
  async announce(key: Item, item: Item, before?: Item): Promise<void> {
    await this.#entries.ask({ key, digest: itemDigest(item), ...(before !== undefined && { before }) });
  }

  /** Announces a segment that is about to be put, and is not stored yet. */
  async announceKey(key: Item): Promise<void> {
    await this.#entries.ask({ key });
  }

  /** Notes that an announced item was not put: another writer was faster. */
  disown(key: Item, item: Item): void {
    this.#voided.push({ key, digest: itemDigest(item), isVoid: true });
  }

  /** Notes whether the import lists its market: before it does so, and again when another writer was faster. */
  async noteMarket(listsMarket: boolean): Promise<void> {
    const { id } = await this.#begun();
    await this.#kept(() => this.#settings.register.note(id, { listsMarket }));
  }

  /** Completes the journal of an import that has one. @throws {JournalErased} when it had one. */
  async end(outcome: ImportOutcome, counts: Readonly<Record<string, number>>): Promise<void> {
    if (this.#head === undefined) return;
    const { id } = await this.#head;
    await this.#write([]);
    const end = { outcome, counts, endedAt: this.#settings.clock() };
    await this.#kept(() => this.#settings.register.note(id, end));
  }

  async #write(entries: readonly JournalEntry[]): Promise<undefined[]> {
    const head = await this.#begun();
    const voided = this.#voided;
    this.#voided = [];
    for (const packed of packEntries([...voided, ...entries])) {
      this.#partCount += 1;
      const number = this.#partCount;
      await this.#kept(() => this.#settings.register.addPart(head, number, packed));
    }
    return entries.map(() => undefined);
  }

  /** Writes to the journal, and remembers when it is there no more. */
  async #kept(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (error instanceof JournalErased) this.#isErased = true;
      throw error;
    }
  }

  #begun(): Promise<ImportHead> {
    this.#head ??= this.#begin().catch((error: unknown) => {
      // The next entry tries again.
      this.#head = undefined;
      throw error;
    });
    return this.#head;
  }

  async #begin(): Promise<ImportHead> {
    const { register, kind, owner, actor, clock } = this.#settings;
    const beganAt = clock();
    const known = { kind, ...(owner !== undefined && { owner }), actor: await actor(), beganAt };
    for (;;) {
      const head = { id: newImportId(beganAt), ...known };
      if (await register.begin(head)) return head;
    }
  }
}
