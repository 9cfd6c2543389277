import { createHash } from "node:crypto";
import { writeExactJson } from "../../../lib/json/exact-json.ts";
import { normaliseOrderId } from "../../../lib/sell-orders/order-id.ts";
import { putSellOrder } from "../../../lib/sell-orders/put-sell-order.ts";
import {
  type FailReason,
  failReasons,
  type SellOrderStatus,
} from "../../../lib/sell-orders/sell-order-kinds.ts";
import { SellOrderRegister } from "../../../lib/sell-orders/sell-order-register.ts";
import { demoCurl } from "./demo-curl.ts";
import { findDocuments } from "./find-documents.ts";
import type { Members, RecordKind } from "./record-kind.ts";

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

function stateOf({ status, fail_reason: reason, transaction_hash: hash }: Members): string {
  if (status === "AWAITING_DEPOSIT" && hash !== undefined) return SEEN;
  return String(status === "FAILED" ? (reason ?? status) : status);
}

const statusOf = (state: string): SellOrderStatus => {
  if (isFailReason(state)) return "FAILED";
  return state === SEEN ? "AWAITING_DEPOSIT" : (state as SellOrderStatus);
};

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
  stateOf,
  reaches: (members) => REACHES.get(stateOf(members)) ?? [],
  changed: (members, state, { at }) => ({
    ...members,
    ...(!WITHOUT_DEPOSIT.has(state) && depositOf(members)),
    updated_at: at,
    status: statusOf(state),
    ...(isFailReason(state) && { fail_reason: state }),
  }),
  put: ({ table, brand }, { ownerId = "", members }, _state, clock) =>
    putSellOrder(new SellOrderRegister(table("SellOrders")), brand, ownerId, writeExactJson(members), {
      clock,
    }),
  curlLine: ({ baseUrl, ramp }, { ownerId, members }) => {
    const keys = new Map([
      [ramp.partnerId, ramp.apiKey],
      [ramp.otherPartnerId, ramp.otherApiKey],
    ]);
    const key = keys.get(ownerId ?? "") ?? `<an API key of ${ownerId}>`;
    return demoCurl(`${baseUrl}/sell-orders/${String(members.id)}`, { "X-API-KEY": key });
  },
};
