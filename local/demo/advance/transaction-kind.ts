import type { Brand } from "../../../lib/brand.ts";
import { writeExactJson } from "../../../lib/json/exact-json.ts";
import { putTransaction } from "../../../lib/transactions/put-transaction.ts";
import { type TransactionState, transactionLifecycle } from "../../../lib/transactions/transaction-kinds.ts";
import { TransactionRegister } from "../../../lib/transactions/transaction-register.ts";
import { demoCurl } from "./demo-curl.ts";
import { findDocuments } from "./find-documents.ts";
import type { Members, RecordKind } from "./record-kind.ts";

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
  curlLine: ({ baseUrl, business }, { ownerId, members }) => {
    const tokens = new Map([
      [business.id, business.token],
      [business.otherId, business.otherToken],
    ]);
    const token = tokens.get(ownerId ?? "") ?? `<an access token of ${ownerId}>`;
    return demoCurl(`${baseUrl}/transaction/${String(members.id)}`, { Authorization: `Bearer ${token}` });
  },
};
