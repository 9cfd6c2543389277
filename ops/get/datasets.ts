import type { Leg, Trade, Transaction } from "../../client/src/index.ts";
import { isExactNumber, parseExactJson, writeExactJson } from "../../lib/json/exact-json.ts";
import type { Members } from "../../lib/json-value.ts";
import { ownMember } from "../../lib/own-member.ts";

/** What the values of a column are: text, exact decimals, or instants in Unix epoch milliseconds. */
type ColumnKind = "text" | "amount" | "instant";

/** A column of a table that records become in CSV and Parquet. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** The values of a row in the order of the columns, as they were sent; undefined where a member is absent. */
export type Row = readonly (string | undefined)[];

/** A kind of records that is downloaded, and the table that they become. */
export interface Dataset {
  readonly columns: readonly Column[];
  /** The rows of a record: one, or one for each of its parts. @param line the record as a line of NDJSON. */
  readonly rowsOf: (line: string) => readonly Row[];
}

/** A record as the service sent it. */
export interface SentRecord {
  /** ISO 8601. */
  readonly instant: string;
  readonly id: string;
  /** The record's JSON, on one line and without a line end. */
  readonly line: string;
}

/** Every member of a trade, so that a member which the contract adds fails to compile here. */
const tradeKinds: Readonly<Record<keyof Trade, ColumnKind>> = {
  tdt: "instant",
  aid: "text",
  anm: "text",
  p: "amount",
  pc: "text",
  pn: "text",
  q: "amount",
  qc: "text",
  qn: "text",
  ve: "text",
  pdt: "instant",
  vp: "text",
  tid: "text",
  s: "text",
};

/** Trades: a row each. */
export const tradeDataset: Dataset = {
  columns: Object.entries(tradeKinds).map(([name, kind]) => ({ name, kind })),
  rowsOf: (line) => {
    const trade = JSON.parse(line) as Readonly<Record<string, string | number>>;
    return [Object.keys(tradeKinds).map((name) => ownMember(trade, name)?.toString())];
  },
};

/** A trade as it is written down. Its amounts are strings, and its numbers are whole, so that no digit is lost. */
export const sentTrade = (trade: Trade): SentRecord => ({
  line: JSON.stringify(trade),
  instant: new Date(trade.tdt).toISOString(),
  id: trade.tid,
});

/** The paths of a record's members that are texts or lists. */
type Leaves<Members, Prefix extends string> = {
  [Name in keyof Members & string]-?: NonNullable<Members[Name]> extends string | readonly unknown[]
    ? `${Prefix}${Name}`
    : Leaves<NonNullable<Members[Name]>, `${Prefix}${Name}.`>;
}[keyof Members & string];

type ColumnName = Leaves<Omit<Transaction, "legs">, ""> | Leaves<Leg, "legs.">;

/** Every member of a transaction, so that a member which the contract adds fails to compile here. */
const kinds: Readonly<Record<ColumnName, ColumnKind>> = {
  id: "text",
  type: "text",
  state: "text",
  reason_code: "text",
  request_id: "text",
  created_at: "text",
  updated_at: "text",
  completed_at: "text",
  scheduled_for: "text",
  related_transaction_id: "text",
  reference: "text",
  "legs.leg_id": "text",
  "legs.account_id": "text",
  "legs.amount": "amount",
  "legs.currency": "text",
  "legs.fee": "amount",
  "legs.balance": "amount",
  "legs.bill_amount": "amount",
  "legs.bill_currency": "text",
  "legs.description": "text",
  "legs.counterparty.id": "text",
  "legs.counterparty.account_id": "text",
  "legs.counterparty.account_type": "text",
  "merchant.id": "text",
  "merchant.name": "text",
  "merchant.city": "text",
  "merchant.category_code": "text",
  "merchant.country": "text",
  "card.id": "text",
  "card.card_number": "text",
  "card.first_name": "text",
  "card.last_name": "text",
  "card.phone": "text",
  "card.references": "text",
};

const LEG = "legs.";

/**
 * Transactions: a row for each leg, because each leg has an amount of its own. The members of the transaction are
 * repeated in its rows. A list within, the references of a card, is one JSON text.
 */
export const transactionDataset: Dataset = {
  columns: Object.entries(kinds).map(([name, kind]) => ({ name, kind })),
  rowsOf: (line) => {
    const transaction = parseExactJson(line) as Members;
    const { legs } = transaction;
    return Array.isArray(legs) && legs.length > 0
      ? legs.map((leg: Members) => rowOf(transaction, leg))
      : [rowOf(transaction, {})];
  },
};

const rowOf = (transaction: Members, leg: Members): Row =>
  Object.keys(kinds).map((name) =>
    name.startsWith(LEG) ? textAt(leg, name.slice(LEG.length)) : textAt(transaction, name),
  );

function textAt(members: Members, path: string): string | undefined {
  const [name = "", ...rest] = path.split(".");
  const value = ownMember(members, name);
  if (rest.length > 0) return isObject(value) ? textAt(value, rest.join(".")) : undefined;
  if (typeof value === "string") return value;
  if (isExactNumber(value)) return value.rawJSON;
  return isObject(value) ? writeExactJson(value) : undefined;
}

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;
