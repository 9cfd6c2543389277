import { randomUUID } from "node:crypto";
import { generatedTrades } from "../support/generated-trades.ts";

/** Transactions that a business has when the load begins: as many as the load asks for. */
export const FIRST_TRANSACTIONS = 100;
/** Transactions that one import of a business brings. */
const TRANSACTIONS = 500;
/** Trades that one import of the market brings: some 30 seconds of a busy one. */
const TRADES = 1_000;

/** The market that trades are imported into. */
export const IMPORTED_MARKET = "SOAK-USD";

/** The id of the n-th transaction of an import. */
export const transactionIdOf = (round: number, n: number): string => `soak-${round}-${n}`;

/** The id of the order that each import of a partner updates. */
export const firstOrderOf = (partner: string): string => {
  const digits = partner.replaceAll(/\D/g, "").padStart(12, "0");
  return `00000000-0000-4000-8000-${digits}`;
};

/** Lines of a file of transactions, all new in each round. */
export const transactionLines = (round: number, now: number, count = TRANSACTIONS): string =>
  lines(count, (n) => {
    const at = new Date(now - n * 60_000).toISOString();
    const leg = { leg_id: randomUUID(), amount: -(n + 0.25), currency: "GBP", account_id: "soak-account" };
    return {
      id: transactionIdOf(round, n),
      type: "card_payment",
      state: "completed",
      created_at: at,
      updated_at: at,
      completed_at: at,
      legs: [leg],
    };
  });

/** One line with the newest version of a partner's order. */
export const orderLine = (partner: string, now: number): string =>
  lines(1, () => ({
    id: firstOrderOf(partner),
    fiat: { amount: 1250.55, currency: "EUR" },
    crypto: { amount: 0.02, currencyId: "BTC" },
    fees: { ramp_fee: { amount: 12.5, currency: "EUR" } },
    exchange_rate: 62527.5,
    payment: "service",
    created_at: "2026-03-01T10:00:00Z",
    updated_at: new Date(now).toISOString(),
    status: "AWAITING_DEPOSIT",
    fees_partner_currency: {},
  }));

/** Lines of a file of trades that ended now. */
export function tradeLines(now: number): string {
  const [trades = []] = generatedTrades(TRADES, now);
  return lines(trades.length, (n) => {
    const { tradedAt, price, quantity, id, side } = trades[n] ?? {};
    return { tid: id, tdt: tradedAt, p: price, q: quantity, s: side };
  });
}

const lines = (count: number, lineOf: (n: number) => object): string =>
  Array.from({ length: count }, (_, n) => `${JSON.stringify(lineOf(n))}\n`).join("");
