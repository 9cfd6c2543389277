import { contractBrand } from "../../lib/brand.ts";
import type { Checked } from "../../lib/checked.ts";
import type { CorrectionOrder } from "../../lib/corrections.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { type KeySchema, type TableName, tables } from "../../lib/dynamo/tables.ts";
import type { putVersioned } from "../../lib/dynamo/versioned-put.ts";
import { checkPass } from "../../lib/passes/pass.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { checkSellOrder } from "../../lib/sell-orders/sell-order.ts";
import {
  failReasons,
  sellOrderLifecycle,
  sellOrderStatuses,
} from "../../lib/sell-orders/sell-order-kinds.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { checkTransaction } from "../../lib/transactions/transaction.ts";
import { transactionLifecycle, transactionStates } from "../../lib/transactions/transaction-kinds.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { ConditionalWrites } from "./conditional-writes.ts";
import { membersOfState, sellOrderText, transactionText } from "./documents.ts";

/** Draws a number from 0 to 1, another one at each call. */
export type Draw = () => number;

/** One version of a record, as a source may send it. */
export interface Version {
  readonly updatedMicros: string;
  readonly rank: number;
  /** The id as this version spells it, and the rest of its text. */
  readonly spelling: string;
  readonly isRespelled: boolean;
  readonly rest: string;
  readonly key: Readonly<Record<string, { readonly S: string }>>;
  /** @param put stores the version, or rehearses it. */
  write(table: Table, correction?: CorrectionOrder, put?: typeof putVersioned): Promise<WriteOutcome>;
}

/** A kind of record: its table, and how to draw a version of an owner's n-th record from few values. */
export interface RecordKind {
  readonly table: Extract<TableName, "Transactions" | "SellOrders" | "Passes">;
  readonly draw: (draw: Draw, owner: string, id: number) => Version;
}

export const drawBelow = (draw: Draw, end: number): number => Math.floor(draw() * end);
const drawOne = <Item>(draw: Draw, items: readonly Item[]): Item =>
  items[drawBelow(draw, items.length)] as Item;

/** Three instants, two of them spelled in two ways, and two a microsecond apart, so that sets have many ties. */
const INSTANTS = [
  "2026-03-01T10:00:00Z",
  "2026-03-01T11:00:00.000+01:00",
  "2026-03-01T10:00:00.000001Z",
  "2026-03-01T10:00:01Z",
  "2026-03-01T10:00:01.0Z",
];
/** UTF-16 and UTF-8 sort the last two differently. */
const NOTES = [undefined, "a", "b", "😀", "\uffff"];

function checked<Value>(result: Checked<Value>): Value {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

/** The text of a version whose id is spelled otherwise; a pass's text has its reference. */
const textWith = (spelling = "", rest = ""): string =>
  rest.startsWith("{") ? rest : `{"id":"${spelling}"${rest}`;

const withoutId = (doc: string): string => doc.replace(/^\{"id":"[^"]*"/, "");

const drawTransaction = (draw: Draw, owner: string, number: number): Version => {
  const id = `tx-${number}`;
  const members = {
    id,
    ...membersOfState(drawOne(draw, transactionStates)),
    request_id: drawOne(draw, [undefined, undefined, "r", "s"]),
    created_at: drawOne(draw, INSTANTS.slice(0, 3)),
    updated_at: drawOne(draw, INSTANTS),
    reference: drawOne(draw, NOTES),
  };
  const record = checked(checkTransaction(contractBrand, owner, transactionText(members)));
  return {
    updatedMicros: record.updatedMicros,
    rank: transactionLifecycle.rank[record.state],
    spelling: id,
    isRespelled: false,
    rest: withoutId(record.doc),
    key: { business_id: { S: owner }, id: { S: id } },
    write: (table, correction, put) => new TransactionRegister(table, put).put(record, correction),
  };
};

const drawSellOrder = (draw: Draw, owner: string, number: number): Version => {
  const id = `abcdefab-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const status = drawOne(draw, sellOrderStatuses);
  const members = {
    id: drawOne(draw, [id, id.toUpperCase(), id.replace("abc", "ABC")]),
    status,
    fail_reason: status === "FAILED" ? drawOne(draw, [undefined, ...failReasons]) : undefined,
    transaction_hash: drawOne(draw, [undefined, "0xa1"]),
    created_at: drawOne(draw, INSTANTS.slice(0, 3)),
    updated_at: drawOne(draw, INSTANTS),
    wallet: drawOne(draw, NOTES),
  };
  const record = checked(checkSellOrder(contractBrand, owner, sellOrderText(members)));
  return {
    updatedMicros: record.updatedMicros,
    rank: sellOrderLifecycle.rank[record.state],
    spelling: members.id,
    isRespelled: members.id !== id,
    rest: withoutId(record.doc),
    key: { partner_id: { S: owner }, order_id: { S: id } },
    write: (table, correction, put) => new SellOrderRegister(table, put).put(record, correction),
  };
};

/** A pass with one of these contents and templates, which only some of its versions name. */
const drawPassOf =
  (contents: readonly string[], templates: readonly string[]): RecordKind["draw"] =>
  (draw, owner, number) => {
    const reference = `${owner}-${number}`;
    const version = drawOne(draw, [0, 9, 10, 11, 999_999_999_999_999]);
    const type = drawOne(draw, contents);
    const template_id = drawOne(draw, [undefined, ...templates]);
    const members = { partner_reference: reference, template_id, type, version };
    const record = checked(checkPass(JSON.stringify(members)));
    return {
      updatedMicros: String(version).padStart(15, "0"),
      rank: 0,
      spelling: reference,
      isRespelled: false,
      rest: record.text,
      key: { partner_reference: { S: reference } },
      write: (table, correction, put) => new PassRegister(table, put).put(record, correction),
    };
  };

/** Passes whose versions may have two contents, and name two templates: their publisher is told. */
export const contradictingPasses: RecordKind = {
  table: "Passes",
  draw: drawPassOf(["loyalty_pass", "event_pass"], ["tpl-1", "tpl-2"]),
};

/** The kinds of record, by the name of one. */
export const recordKinds: readonly (readonly [string, RecordKind])[] = [
  ["transaction", { table: "Transactions", draw: drawTransaction }],
  ["sell order", { table: "SellOrders", draw: drawSellOrder }],
  ["pass", { table: "Passes", draw: drawPassOf(["loyalty_pass"], ["tpl-1"]) }],
];

const compare = <Value extends string | number | boolean>(one: Value, other: Value): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** Compares by instant of update, rank of state, and text. */
export const compareVersions = (one: Version, other: Version): number =>
  compare(one.updatedMicros, other.updatedMicros) ||
  compare(one.rank, other.rank) ||
  compare(one.rest, other.rest);

const compareSpellings = (one: Version, other: Version): number =>
  compare(one.updatedMicros, other.updatedMicros) ||
  compare(one.rank, other.rank) ||
  compare(one.isRespelled, other.isRespelled) ||
  compare(one.spelling, other.spelling);

/**
 * The text that readers must get of a record once all these versions have been written: that of the newest version that
 * was not taken out, with the id as the earliest version spells it.
 */
export function endOf(versions: readonly Version[], takenOut: readonly Version[] = []): string {
  const isIn = (version: Version) => takenOut.every((out) => compareVersions(version, out) !== 0);
  const newest = versions.filter(isIn).toSorted(compareVersions).at(-1);
  return textWith(versions.toSorted(compareSpellings)[0]?.spelling, newest?.rest);
}

/** An empty table for records of a kind. */
export const newTable = ({ table }: RecordKind): ConditionalWrites => {
  const { partition, sort }: KeySchema = tables[table];
  return new ConditionalWrites(...[partition, sort ?? []].flat().map(({ name }) => name));
};

/** One to five versions of one record. */
export const drawSet = (
  { draw: drawVersion }: RecordKind,
  draw: Draw,
  owner: string,
  id: number,
): Version[] => Array.from({ length: 1 + drawBelow(draw, 5) }, () => drawVersion(draw, owner, id));

/** Every order of a few things. */
export const permutationsOf = <Item>(items: readonly Item[]): Item[][] =>
  items.length <= 1
    ? [[...items]]
    : items.flatMap((first, at) =>
        permutationsOf(items.toSpliced(at, 1)).map((others) => [first, ...others]),
      );

/** The same things in another order. */
export function shuffled<Item>(draw: Draw, items: readonly Item[]): Item[] {
  const left = [...items];
  return items.map(() => left.splice(drawBelow(draw, left.length), 1)[0] as Item);
}

/** Versions as three processes deliver them: each at least once, by any of them, in any order. */
export function drawDeliveries(draw: Draw, versions: readonly Version[]): Version[][] {
  const deliveries: Version[][] = [[], [], []];
  for (const version of [...versions, ...versions.filter(() => draw() < 0.3)])
    drawOne(draw, deliveries).push(version);
  return deliveries.map((delivery) => shuffled(draw, delivery));
}
