import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { Expression } from "../../../lib/dynamo/expression.ts";
import { type Item, textOf } from "../../../lib/dynamo/item.ts";
import { orExisting, priced, provenWrite } from "../../../lib/dynamo/proven.ts";
import { readItem } from "../../../lib/dynamo/read-item.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import { OperatorError } from "../../../local/process/operator-error.ts";
import { queryAll } from "../../store/query-all.ts";
import { type JournalEntry, packEntries, unpackEntries } from "./journal-entry.ts";

/** The kinds of records that are imported, by their commands' names. */
export const importKinds = ["transactions", "sell-orders", "passes", "trades"] as const;
export type ImportKind = (typeof importKinds)[number];

/** How an import ended: to its end, by a fault of the store or the file, or by Ctrl-C. */
export type ImportOutcome = "done" | "failed" | "stopped";

/** What is known of an import. */
export interface ImportHead {
  readonly id: string;
  readonly kind: ImportKind;
  /** The business or partner, or the market's symbol; absent for passes. */
  readonly owner?: string;
  /** As the audit names it. */
  readonly actor: string;
  /** Epoch milliseconds, as all instants here. */
  readonly beganAt: number;
  readonly endedAt?: number;
  /** Absent while the import runs, and for good when it was killed. */
  readonly outcome?: ImportOutcome;
  /** The closing table's counts, by their names. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Whether the import listed its market. */
  readonly listsMarket?: boolean;
  /** When all that could be taken back had been. */
  readonly undoneAt?: number;
}

/** One item of a journal. */
export interface JournalPart {
  readonly number: number;
  readonly entries: readonly JournalEntry[];
}

/** The journal of an import went meanwhile, with everything of its owner. */
export class JournalErased extends OperatorError {
  constructor(id: string) {
    super(
      `${id} has no journal any more: what it is about was erased meanwhile. It cannot be taken back. Erase again to remove what was stored since, or import the file again.`,
    );
  }
}

/** The parts of a head that its journal needs. */
type JournalOf = Pick<ImportHead, "id" | "kind" | "owner" | "beganAt">;

/** The partition of the heads of all imports, in the order of their ids. */
const HEADS = "list";
const DAYS_KEPT = 35;
const DAY_S = 86_400;
const PART_DIGITS = 8;

const partKey = (id: string, number: number): Item => ({
  import_id: { S: id },
  part: { S: String(number).padStart(PART_DIGITS, "0") },
});
/** The key of the head of an import. */
export const headKey = (id: string): Item => ({ import_id: { S: HEADS }, part: { S: id } });
/** The import that an item belongs to, by its key. */
export const importIdOf = (key: Item): string =>
  textOf(key, textOf(key, "import_id") === HEADS ? "part" : "import_id");
const number = (value: number) => ({ N: String(value) });
/** A head outlives its journal by a day, so that no journal is without one. */
const expiryOf = (beganAt: number, days: number) => ({
  x: number(Math.floor(beganAt / 1000) + days * DAY_S),
});

/** Keeps the journals of imports. It is for operators: no function of the API may touch its table. */
export class ImportRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Adds a head. @returns false when its id is taken. */
  async begin(head: ImportHead): Promise<boolean> {
    const condition = {
      ConditionExpression: "attribute_not_exists(#part)",
      ExpressionAttributeNames: { "#part": "part" },
    };
    const { answer } = await this.#put({ ...headKey(head.id), ...attributesOf(head) }, condition);
    return answer !== undefined;
  }

  /** Adds to what is known of an import. @throws {JournalErased} when it is known no more. */
  async note(id: string, change: Partial<Omit<ImportHead, "id" | "beganAt">>): Promise<void> {
    const expression = new Expression();
    const sets = Object.entries(attributesOf(change)).map(
      ([name, value]) => `${expression.name(name)} = ${expression.value(value)}`,
    );
    const update = new UpdateItemCommand({
      TableName: this.#table.name,
      Key: headKey(id),
      UpdateExpression: `SET ${sets.join(", ")}`,
      // A head that expired, or that was erased with its owner, does not come back.
      ConditionExpression: `attribute_exists(${expression.name("part")})`,
      ...expression.references,
      ...priced,
    });
    const { answer } = await orExisting(() => this.#table.client.send(update));
    if (answer === undefined) throw new JournalErased(id);
  }

  /** An import by its id; undefined when there is none, or it is older than 35 days. */
  async find(id: string): Promise<ImportHead | undefined> {
    const item = await readItem(this.#table, { key: { import_id: HEADS, part: id } });
    return item && headOf(item);
  }

  /** All imports, the latest day first. */
  async *heads(): AsyncGenerator<ImportHead> {
    for await (const item of this.#query(HEADS)) yield headOf(item);
  }

  /**
   * Adds an item to the journal of an import, under a head that is there. The head may go between the look at it and the
   * write: so the item names its owner itself, by which an erasure finds it.
   *
   * @throws {JournalErased} when the head is gone.
   */
  async addPart({ id, kind, owner, beganAt }: JournalOf, at: number, packed: Uint8Array): Promise<void> {
    if ((await this.find(id)) === undefined) throw new JournalErased(id);
    const of = attributesOf({ kind, ...(owner !== undefined && { owner }) });
    await this.#put({ ...partKey(id, at), ...of, entries: { B: packed }, ...expiryOf(beganAt, DAYS_KEPT) });
  }

  /** The journal of an import, the last item first unless it is read forwards. */
  async *parts(id: string, { isForward = false } = {}): AsyncGenerator<JournalPart> {
    for await (const item of this.#query(id, isForward))
      yield {
        number: Number(textOf(item, "part")),
        entries: unpackEntries(item.entries?.B ?? Buffer.alloc(0)),
      };
  }

  /** Leaves only some entries of an item of a journal. @throws {JournalErased} as `addPart` does. */
  async replacePart(head: JournalOf, at: number, left: readonly JournalEntry[]): Promise<void> {
    const [packed] = packEntries(left);
    if (packed !== undefined) return await this.addPart(head, at, packed);
    const command = new DeleteItemCommand({
      TableName: this.#table.name,
      Key: partKey(head.id, at),
      ...priced,
    });
    await provenWrite(() => this.#table.client.send(command));
  }

  async #put(item: Item, condition: object = {}) {
    const put = new PutItemCommand({ TableName: this.#table.name, Item: item, ...condition, ...priced });
    return await orExisting(() => this.#table.client.send(put));
  }

  #query(partition: string, isForward = false): AsyncGenerator<Item> {
    return queryAll(this.#table, {
      KeyConditionExpression: "#import_id = :partition",
      ExpressionAttributeNames: { "#import_id": "import_id" },
      ExpressionAttributeValues: { ":partition": { S: partition } },
      ScanIndexForward: isForward,
    });
  }
}

function attributesOf(head: Partial<ImportHead>): Item {
  const { kind, owner, actor, beganAt, endedAt, outcome, counts, listsMarket, undoneAt } = head;
  return {
    ...(kind !== undefined && { kind: { S: kind } }),
    ...(owner !== undefined && { owner: { S: owner } }),
    ...(actor !== undefined && { actor: { S: actor } }),
    ...(beganAt !== undefined && { began_at: number(beganAt), ...expiryOf(beganAt, DAYS_KEPT + 1) }),
    ...(endedAt !== undefined && { ended_at: number(endedAt) }),
    ...(outcome !== undefined && { outcome: { S: outcome } }),
    ...(counts !== undefined && { counts: { S: JSON.stringify(counts) } }),
    ...(listsMarket !== undefined && { lists_market: { BOOL: listsMarket } }),
    ...(undoneAt !== undefined && { undone_at: number(undoneAt) }),
  };
}

const headOf = (item: Item): ImportHead => ({
  id: textOf(item, "part"),
  kind: textOf(item, "kind") as ImportKind,
  ...(item.owner?.S !== undefined && { owner: item.owner.S }),
  actor: textOf(item, "actor"),
  beganAt: Number(item.began_at?.N),
  ...(item.ended_at?.N !== undefined && { endedAt: Number(item.ended_at.N) }),
  ...(item.outcome?.S !== undefined && { outcome: item.outcome.S as ImportOutcome }),
  ...(item.counts?.S !== undefined && { counts: JSON.parse(item.counts.S) as Record<string, number> }),
  ...(item.lists_market?.BOOL === true && { listsMarket: true }),
  ...(item.undone_at?.N !== undefined && { undoneAt: Number(item.undone_at.N) }),
});
