import type { Members } from "../../lib/json-value.ts";
import type { TransactionState } from "../../lib/transactions/transaction-kinds.ts";

/** One leg of a sample transaction. */
export const legOf = (members: Members = {}): Members => ({
  leg_id: "leg-1",
  amount: -47.8,
  currency: "GBP",
  account_id: "account-1",
  ...members,
});

/** The text of a sample transaction that is valid unless `members` spoil it; `undefined` removes a member. */
export const transactionText = (members: Members = {}): string =>
  JSON.stringify({
    id: "tx-1",
    type: "card_payment",
    state: "pending",
    created_at: "2026-03-01T10:00:00Z",
    updated_at: "2026-03-01T10:00:00Z",
    legs: [legOf()],
    ...members,
  });

/** The members that a transaction in a state must have. */
export const membersOfState = (state: TransactionState): Members =>
  state === "completed" ? { state, completed_at: "2026-03-01T10:05:00Z" } : { state };

export const moneyOf = (amount: number, currency = "EUR"): Members => ({ amount, currency });

/** The text of a sample sell order that is valid unless `members` spoil it; `undefined` removes a member. */
export const sellOrderText = (members: Members = {}): string =>
  JSON.stringify({
    id: "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f",
    fiat: moneyOf(1250.55),
    crypto: { amount: 0.02, currencyId: "BTC" },
    fees: { ramp_fee: moneyOf(12.5) },
    exchange_rate: 62527.5,
    payment: "service",
    created_at: "2026-03-01T10:00:00Z",
    updated_at: "2026-03-01T10:00:00Z",
    status: "AWAITING_DEPOSIT",
    fees_partner_currency: {},
    ...members,
  });
