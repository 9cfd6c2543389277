import { DeleteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { Expression } from "../../lib/dynamo/expression.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { orExisting, priced } from "../../lib/dynamo/proven.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { ownMember } from "../../lib/own-member.ts";
import { itemDigest, type JournalEntry } from "../import/journal/journal-entry.ts";
import { keyTextOf, readItems } from "../import/journal/read-items.ts";
import { allOf } from "./all-of.ts";
import type { UndoMode } from "./undo-tally.ts";

/** Another writer of the same record was faster each time. */
const ROUNDS_MAX = 8;

/** What is left of a part of a journal, and the fault that ended the work on it. */
export interface PartLeft {
  readonly left: readonly JournalEntry[];
  readonly fault?: unknown;
}

/** What a record should become: the item that it had before the import, as far as the entries reach back. */
type Target = { readonly isLeft: boolean; readonly isTouched: boolean; readonly before: Item | undefined };

/** Takes back the versions of records that an import stored, part by part of its journal, the last part first. */
export class RecordUndo {
  readonly #table: Table;
  readonly #mode: UndoMode;
  /** Announcements that came to nothing, by key and digest; they stand behind what they announced. */
  readonly #void = new Set<string>();
  /** What records would be by now, in a rehearsal. */
  readonly #rehearsed = new Map<string, Item | undefined>();
  /** Records that no entry explains so far, by key: an earlier part may, if an undo that was cut off took it back. */
  readonly #unexplained = new Map<string, string>();

  constructor(table: Table, mode: UndoMode) {
    this.#table = table;
    this.#mode = mode;
  }

  /** Counts the records that are left, once the last part that there will be was taken back. */
  end(): void {
    for (const id of this.#unexplained.values()) this.#mode.tally.leave(id, "changed since");
  }

  /** Whether an entry is of a record that no entry explains. */
  isLeft({ key }: JournalEntry): boolean {
    return this.#unexplained.has(keyTextOf(key));
  }

  /**
   * Takes back a part. Repeating it is safe.
   *
   * @returns the entries that are still needed: those of records that were not taken back, and, until the last part was
   *   taken back, announcements that came to nothing with what they announced. And the fault of a store that failed.
   */
  async takeBack(entries: readonly JournalEntry[]): Promise<PartLeft> {
    const valid = this.#withoutVoid(entries);
    const done = new Set<JournalEntry>();
    const left = () => entries.filter((entry) => !done.has(entry));
    try {
      await this.#takeBackAll(valid, (entry) => done.add(entry));
      return { left: left() };
    } catch (fault) {
      return { left: left(), fault };
    }
  }

  async #takeBackAll(valid: readonly JournalEntry[], onDone: (entry: JournalEntry) => void): Promise<void> {
    const { stop } = this.#mode;
    const keys = [...new Map(valid.map(({ key }) => [keyTextOf(key), key])).values()];
    const entriesOf = Map.groupBy(valid, ({ key }) => keyTextOf(key));
    const items = await retryStore(() => readItems(this.#table, keys), stop);
    await allOf(keys.entries(), async ([at, key]) => {
      if (stop.aborted) return;
      const entries = entriesOf.get(keyTextOf(key)) ?? [];
      await retryStore(() => this.#takeBackOne(key, entries, items[at]), stop);
      if (!this.#unexplained.has(keyTextOf(key))) entries.forEach(onDone);
    });
  }

  #withoutVoid(entries: readonly JournalEntry[]): readonly JournalEntry[] {
    const valid = entries.toReversed().filter((entry) => {
      const name = `${keyTextOf(entry.key)} ${entry.digest}`;
      if (entry.isVoid === true) this.#void.add(name);
      return entry.isVoid !== true && !this.#void.delete(name);
    });
    return valid.toReversed();
  }

  /** @param entries those of the record, in the order in which they were written. */
  async #takeBackOne(key: Item, entries: readonly JournalEntry[], found: Item | undefined): Promise<void> {
    const { isRehearsal, tally } = this.#mode;
    const keyText = keyTextOf(key);
    this.#unexplained.delete(keyText);
    let seen = this.#rehearsed.has(keyText) ? this.#rehearsed.get(keyText) : found;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const { isLeft, isTouched, before } = targetOf(seen, entries);
      if (isLeft) break;
      // Nothing of the import is stored: it came to nothing, or it was taken back or erased before.
      if (!isTouched || seen === undefined) return;
      if (isRehearsal || (await putBack(this.#table, { key, seen, before }))) {
        tally.takeBack(idOf(key), before === undefined ? "removed" : "restored");
        if (isRehearsal) this.#rehearsed.set(keyText, before);
        return;
      }
      [seen] = await readItems(this.#table, [key]);
    }
    this.#unexplained.set(keyText, idOf(key));
  }
}

/** Goes back from what is stored, entry by entry. */
function targetOf(seen: Item | undefined, entries: readonly JournalEntry[]): Target {
  let before = seen;
  let isTouched = false;
  for (const entry of entries.toReversed()) {
    if (before === undefined) break;
    if (itemDigest(before) === entry.digest) {
      before = entry.before;
      isTouched = true;
    } else if (entry.before === undefined || itemDigest(before) !== itemDigest(entry.before)) {
      return { isLeft: true, isTouched, before };
    }
  }
  return { isLeft: false, isTouched, before };
}

/** The id of a record within its owner's. */
const idOf = (key: Item): string => Object.values(key).at(-1)?.S ?? "";

/** Attributes that only some items have; one that an item lacks must still be lacking. */
const SOMETIMES = ["corrections", "gone_at", "request_key", "spelled", "template_id"];

/** Holds while an item is stored as it was seen. */
function stillAs(key: Item, seen: Item): { readonly condition: string; readonly expression: Expression } {
  const expression = new Expression();
  const names = new Set([...Object.keys(seen), ...SOMETIMES].filter((name) => !Object.hasOwn(key, name)));
  const clauses = [...names].map((name) => expression.equals(name, ownMember(seen, name)));
  return { condition: clauses.join(" AND "), expression };
}

/** A stored item, and what is to stand in its place: an earlier one, or none. */
interface PutBack {
  readonly key: Item;
  readonly seen: Item;
  readonly before: Item | undefined;
}

/** Puts an earlier item in place of one, or removes it, if it is still stored as it was seen. @returns whether it was. */
async function putBack({ client, name }: Table, { key, seen, before }: PutBack): Promise<boolean> {
  const { condition, expression } = stillAs(key, seen);
  const guarded = {
    TableName: name,
    ConditionExpression: condition,
    ...expression.references,
    ...priced,
  };
  const { answer } = await orExisting(() =>
    before === undefined
      ? client.send(new DeleteItemCommand({ ...guarded, Key: key }))
      : client.send(new PutItemCommand({ ...guarded, Item: before })),
  );
  return answer !== undefined;
}
