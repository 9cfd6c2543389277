import { randomInt } from "node:crypto";
import { systemClock } from "../../../lib/clock.ts";
import type { Item } from "../../../lib/dynamo/item.ts";
import { actorOf } from "../../audit/actor.ts";
import type { OperatorStore } from "../../store/operator-store.ts";
import { gathered } from "./gathered.ts";
import {
  type ImportHead,
  type ImportKind,
  type ImportOutcome,
  ImportRegister,
  JournalErased,
} from "./import-register.ts";
import { itemDigest, type JournalEntry, packEntries } from "./journal-entry.ts";

/** Digits and letters that are not taken for one another when somebody reads an id out. */
const SAYABLE = "23456789abcdefghjkmnpqrstuvwxyz";
const RANDOM_LENGTH = 4;

/** A new id of an import that begins now (epoch ms), such as `imp-20261129-k7f3`; ids sort by their day, in UTC. */
function newImportId(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll("-", "");
  const random = Array.from({ length: RANDOM_LENGTH }, () => SAYABLE[randomInt(SAYABLE.length)]).join("");
  return `imp-${day}-${random}`;
}

/**
 * Keeps what is needed to take an import back: for each record that it stores the key, the digest of the new item, and
 * the item that was replaced. An entry is stored before what it announces. The import gets its id with the first
 * entry, so an import that stores nothing has none.
 */
export class ImportJournal {
  readonly #store: OperatorStore;
  readonly #about: Pick<ImportHead, "kind" | "owner">;
  readonly #register: ImportRegister;
  readonly #add: (entry: JournalEntry) => Promise<undefined>;
  #head: Promise<ImportHead> | undefined;
  #partCount = 0;
  #isErased = false;
  /** Written with the next entries: nothing is lost without them but certainty. */
  #voided: JournalEntry[] = [];

  constructor(store: OperatorStore, kind: ImportKind, owner?: string) {
    this.#store = store;
    this.#about = { kind, ...(owner !== undefined && { owner }) };
    this.#register = new ImportRegister(store.table("Imports"));
    this.#add = gathered((entries: readonly JournalEntry[]) => this.#write(entries));
  }

  /** The import's id; undefined when it was never about to store anything, or was erased meanwhile. */
  async id(): Promise<string | undefined> {
    if (this.#isErased) return undefined;
    return (await this.#head?.catch(() => undefined))?.id;
  }

  /** Announces an item that is about to be put, in place of another or of none. Resolves when the store has the entry. */
  async announce(key: Item, item: Item, before?: Item): Promise<void> {
    await this.#add({ key, digest: itemDigest(item), ...(before !== undefined && { before }) });
  }

  /** Announces a segment that is about to be put, and is not stored yet. */
  async announceKey(key: Item): Promise<void> {
    await this.#add({ key });
  }

  /** Notes that an announced item was not put: another writer was faster. */
  disown(key: Item, item: Item): void {
    this.#voided.push({ key, digest: itemDigest(item), isVoid: true });
  }

  /** Notes whether the import lists its market: before it does so, and again when another writer was faster. */
  async noteMarket(listsMarket: boolean): Promise<void> {
    const { id } = await this.#begun();
    await this.#kept(() => this.#register.note(id, { listsMarket }));
  }

  /** Completes the journal of an import that has one. @throws {JournalErased} when it had one. */
  async end(outcome: ImportOutcome, counts: Readonly<Record<string, number>>): Promise<void> {
    if (this.#head === undefined) return;
    const { id } = await this.#head;
    await this.#write([]);
    const end = { outcome, counts, endedAt: systemClock() };
    await this.#kept(() => this.#register.note(id, end));
  }

  async #write(entries: readonly JournalEntry[]): Promise<undefined[]> {
    const head = await this.#begun();
    const voided = this.#voided;
    this.#voided = [];
    for (const packed of packEntries([...voided, ...entries])) {
      this.#partCount += 1;
      const number = this.#partCount;
      await this.#kept(() => this.#register.addPart(head, number, packed));
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
    const beganAt = systemClock();
    const known = { ...this.#about, actor: await actorOf(this.#store), beganAt };
    for (;;) {
      const head = { id: newImportId(beganAt), ...known };
      if (await this.#register.begin(head)) return head;
    }
  }
}
