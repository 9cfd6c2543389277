import type { Lifecycle } from "../lifecycle.ts";

/** Every `type` of the business accounts contract. */
export const transactionTypes = [
  "atm",
  "card_payment",
  "card_refund",
  "card_chargeback",
  "card_credit",
  "charge",
  "charge_refund",
  "exchange",
  "transfer",
  "loan",
  "fee",
  "refund",
  "topup",
  "topup_return",
  "tax",
  "tax_refund",
] as const;

export type TransactionType = (typeof transactionTypes)[number];

/** The types that come from a card; only these have a merchant. */
export const cardTypes: ReadonlySet<TransactionType> = new Set([
  "atm",
  "card_payment",
  "card_refund",
  "card_chargeback",
  "card_credit",
]);

/** The types that move money between accounts of one client, even when no counterparty says so. */
export const ownAccountTypes: ReadonlySet<TransactionType> = new Set(["exchange", "transfer"]);

/** Every `state` of the business accounts contract. */
export const transactionStates = [
  "created",
  "pending",
  "completed",
  "declined",
  "failed",
  "reverted",
] as const;

export type TransactionState = (typeof transactionStates)[number];

/** How a transaction proceeds. Declined, failed and reverted are final. */
export const transactionLifecycle: Lifecycle<TransactionState> = {
  rank: { created: 0, pending: 1, completed: 2, declined: 2, failed: 2, reverted: 3 },
  reaches: {
    created: ["pending", "completed", "declined", "failed", "reverted"],
    pending: ["completed", "declined", "failed", "reverted"],
    completed: ["reverted"],
    declined: [],
    failed: [],
    reverted: [],
  },
};
