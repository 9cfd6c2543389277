import { createHash } from "node:crypto";
import type { Brand } from "../../../lib/brand.ts";
import type { Clock } from "../../../lib/clock.ts";
import { textOf } from "../../../lib/dynamo/item.ts";
import { scan } from "../../../lib/dynamo/scan.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import type { TableName } from "../../../lib/dynamo/tables.ts";
import { type ExactNumber, parseExactJson, writeExactJson } from "../../../lib/json/exact-json.ts";
import type { Members } from "../../../lib/json-value.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { isPartnerReference } from "../../../lib/passes/partner-reference.ts";
import { PassRegister } from "../../../lib/passes/pass-register.ts";
import { PassStore } from "../../../lib/passes/pass-store.ts";
import { putPass } from "../../../lib/passes/put-pass.ts";
import { normaliseOrderId } from "../../../lib/sell-orders/order-id.ts";
import { putSellOrder } from "../../../lib/sell-orders/put-sell-order.ts";
import { type FailReason, failReasons } from "../../../lib/sell-orders/sell-order-kinds.ts";
import { SellOrderRegister } from "../../../lib/sell-orders/sell-order-register.ts";
import { putTransaction } from "../../../lib/transactions/put-transaction.ts";
import { type TransactionState, transactionLifecycle } from "../../../lib/transactions/transaction-kinds.ts";
import { TransactionRegister } from "../../../lib/transactions/transaction-register.ts";
import type { WriteOutcome } from "../../../lib/write-outcome.ts";
import { voidPass } from "../../records/void-pass.ts";
import { curlLine } from "../../signing/curl-line.ts";
import type { DemoFile } from "../demo-file.ts";

/** A stored record. */
export interface StoredRecord {
  /** The business or the partner; undefined for a pass, which has no owner. */
  readonly ownerId: string | undefined;
  readonly members: Members;
}

/** What is known when a record is changed. */
interface Change {
  readonly brand: Brand;
  /** The instant of the change, as documents write it. */
  readonly at: string;
}

/** The store that has the records. */
export interface RecordStore {
  readonly table: (name: TableName) => Table;
  /** The brand that the documents are written in. */
  readonly brand: Brand;
  /** The store's name in messages. */
  readonly name: string;
}

/** A kind of record that proceeds from state to state. A state is named by a word that a person gives. */
export interface RecordKind {
  /** The kind as sentences name it. */
  readonly noun: string;
  /** The records with an id, of any owner. */
  readonly find: (store: RecordStore, id: string) => Promise<readonly StoredRecord[]>;
  /** The word for the state that a record is in. */
  readonly stateOf: (members: Members) => string;
  /** The states that a record can proceed to; the first is the next one. Empty for a final state. */
  readonly reaches: (members: Members, brand: Brand) => readonly string[];
  /** The record as it is in one of these states. */
  readonly changed: (members: Members, state: string, change: Change) => Members;
  /** Stores a change by the domain's own writer. */
  readonly put: (
    store: RecordStore,
    record: StoredRecord,
    state: string,
    clock: Clock,
  ) => Promise<WriteOutcome>;
  /** A curl line that shows a record, with a credential of the demo if the demo has one for its owner. */
  readonly curlLine: (demo: DemoFile, record: StoredRecord) => string;
}

/** The records of a table with an id, of any owner: the table is read whole, because its keys begin with the owner. */
async function findDocuments(
  table: Table,
  attributes: { readonly id: string; readonly owner: string },
  id: string,
): Promise<readonly StoredRecord[]> {
  const items = await Array.fromAsync(
    scan(table, {
      FilterExpression: "#id = :id",
      ExpressionAttributeNames: { "#id": attributes.id },
      ExpressionAttributeValues: { ":id": { S: id } },
    }),
  );
  return items.map((item) => ({
    ownerId: textOf(item, attributes.owner),
    members: parseExactJson(textOf(item, "doc")) as Members,
  }));
}

/** A curl line for a GET that shows the headers of the answer too: a tag, a limit, a wait. */
const demoCurl = (url: string, headers: Readonly<Record<string, string>>): string =>
  curlLine("GET", url, headers).replace(" -sS ", " -sSi ");

/** The word for an awaited deposit that has been seen. */
const SEEN = "DEPOSIT_SEEN";

/** The states that usually follow each, the next one first. A failure is named by its reason. */
const REACHES: ReadonlyMap<string, readonly string[]> = new Map([
  ["AWAITING_DEPOSIT", [SEEN, "PROCESSING", "COMPLETED", ...failReasons]],
  [SEEN, ["PROCESSING", "COMPLETED", ...failReasons]],
  ["PROCESSING", ["COMPLETED", "REFUNDED", "FAILED", "CREDITED_AS_CRYPTO"]],
  // The deposit came after all.
  ["EXPIRED", ["REFUNDED", "FAILED", "CREDITED_AS_CRYPTO"]],
]);

/** The states in which no deposit need have come. */
const WITHOUT_DEPOSIT: ReadonlySet<string> = new Set(["EXPIRED", "FAILED"]);

const isFailReason = (state: string): state is FailReason =>
  (failReasons as readonly string[]).includes(state);

function orderStateOf({ status, fail_reason: reason, transaction_hash: hash }: Members): string {
  if (status === "AWAITING_DEPOSIT" && hash !== undefined) return SEEN;
  return String(status === "FAILED" ? (reason ?? status) : status);
}

/** The deposit's addresses, in the forms of the order's chain. The same order always gets the same ones. */
function depositOf({ id, crypto, wallet, transaction_hash: hash }: Members): Members {
  const hex = (label: string): string =>
    createHash("sha256")
      .update(`${label}/${String(id)}`)
      .digest("hex");
  const isBitcoin = (crypto as Members).currencyId === "BTC";
  const made = isBitcoin
    ? { wallet: `bc1q${hex("wallet").slice(0, 38)}`, transaction_hash: hex("hash") }
    : { wallet: `0x${hex("wallet").slice(0, 40)}`, transaction_hash: `0x${hex("hash")}` };
  return { wallet: wallet ?? made.wallet, transaction_hash: hash ?? made.transaction_hash };
}

/** Sell orders of the ramp. */
export const sellOrderKind: RecordKind = {
  noun: "sell order",
  find: async ({ table }, id) => {
    const orderId = normaliseOrderId(id);
    if (orderId === undefined) return [];
    return await findDocuments(table("SellOrders"), { id: "order_id", owner: "partner_id" }, orderId);
  },
  stateOf: orderStateOf,
  reaches: (members) => REACHES.get(orderStateOf(members)) ?? [],
  changed: (members, state, { at }) => ({
    ...members,
    ...(!WITHOUT_DEPOSIT.has(state) && depositOf(members)),
    updated_at: at,
    status: isFailReason(state) ? "FAILED" : state === SEEN ? "AWAITING_DEPOSIT" : state,
    ...(isFailReason(state) && { fail_reason: state }),
  }),
  put: ({ table, brand }, { ownerId = "", members }, _state, clock) =>
    putSellOrder(new SellOrderRegister(table("SellOrders")), brand, ownerId, writeExactJson(members), {
      clock,
    }),
  curlLine: ({ baseUrl, ramp }, { ownerId = "", members }) => {
    const keys = { [ramp.partnerId]: ramp.apiKey, [ramp.otherPartnerId]: ramp.otherApiKey };
    const key = ownMember(keys, ownerId) ?? `<an API key of ${ownerId}>`;
    return demoCurl(`${baseUrl}/sell-orders/${String(members.id)}`, { "X-API-KEY": key });
  },
};

/** A reason for each state that has one, of those that the demo's records have. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["declined", "insufficient_balance"],
  ["failed", "receiver_bank_unavailable"],
]);

interface Leg {
  readonly counterparty?: { readonly account_type?: string };
}

/** Whether a transaction is executed at once, without being pending (contract: states and transitions). */
function isInstant({ type, legs }: Members, { ownAccount }: Brand): boolean {
  const own = ["self", ownAccount];
  return (
    type === "transfer" &&
    (legs as readonly Leg[]).every(({ counterparty }) => own.includes(counterparty?.account_type ?? "self"))
  );
}

/** Transactions of businesses. */
export const transactionKind: RecordKind = {
  noun: "transaction",
  find: ({ table }, id) => findDocuments(table("Transactions"), { id: "id", owner: "business_id" }, id),
  stateOf: ({ state }) => String(state),
  reaches: (members, brand) =>
    transactionLifecycle.reaches[members.state as TransactionState].filter(
      (state) => state !== "pending" || !isInstant(members, brand),
    ),
  changed: (members, state, { at }) => ({
    ...members,
    updated_at: at,
    state,
    ...(state === "completed" && { completed_at: at }),
    ...(REASONS.has(state) && { reason_code: REASONS.get(state) }),
  }),
  put: ({ table, brand }, { ownerId = "", members }, _state, clock) =>
    putTransaction(new TransactionRegister(table("Transactions")), brand, ownerId, writeExactJson(members), {
      clock,
    }),
  curlLine: ({ baseUrl, business }, { ownerId = "", members }) => {
    const tokens = { [business.id]: business.token, [business.otherId]: business.otherToken };
    const token = ownMember(tokens, ownerId) ?? `<an access token of ${ownerId}>`;
    return demoCurl(`${baseUrl}/transaction/${String(members.id)}`, { Authorization: `Bearer ${token}` });
  },
};

/** The words for a pass of the next version, and for one that is gone. */
const NEXT = "next";
const VOID = "void";

/** A pass that is gone has no members but its reference. */
const isGone = ({ version }: Members): boolean => version === undefined;

/** The highest version that the contract's writer takes, in as many digits. */
const versionAfter = ({ version }: Members): ExactNumber =>
  parseExactJson(String(BigInt((version as ExactNumber).rawJSON) + 1n)) as ExactNumber;

/** Passes, of which each version is a state: an entity tag stands for it. */
export const passKind: RecordKind = {
  noun: "pass",
  find: async ({ table }, id) => {
    const pass = isPartnerReference(id) ? await new PassStore(table("Passes")).get(id) : undefined;
    if (pass === undefined) return [];
    const members = pass.state === "void" ? { partner_reference: id } : parseExactJson(pass.text);
    return [{ ownerId: undefined, members: members as Members }];
  },
  stateOf: (members) => (isGone(members) ? VOID : `version ${(members.version as ExactNumber).rawJSON}`),
  reaches: (members) => (isGone(members) ? [] : [NEXT, VOID]),
  changed: (members, state) =>
    state === VOID
      ? { partner_reference: members.partner_reference }
      : { ...members, version: versionAfter(members) },
  put: ({ table }, { members }, state, clock) => {
    const register = new PassRegister(table("Passes"));
    if (state === VOID) return voidPass(register, String(members.partner_reference), clock);
    return putPass(register, writeExactJson(members), { clock });
  },
  curlLine: ({ baseUrl, passes }, { members }) =>
    demoCurl(`${baseUrl}/passes/${String(members.partner_reference)}`, {
      Authorization: `Bearer ${passes.token}`,
      [passes.versionHeader]: passes.version,
    }),
};
