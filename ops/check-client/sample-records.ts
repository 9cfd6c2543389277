import { createHash } from "node:crypto";
import type { Market } from "../../lib/markets/market.ts";
import {
  cardTypes,
  type TransactionState,
  type TransactionType,
} from "../../lib/transactions/transaction-kinds.ts";
import type { Step } from "./play.ts";

const digestOf = (seed: string): string => createHash("sha256").update(seed).digest("hex");

/**
 * An amount, the same for the same seed: of twenty digits, which no double holds, or of ten in scenes of tomorrow, where
 * a longer one is a change. It does not end in a zero, which a client may leave out without losing anything.
 */
function amountOf({ scene }: Pick<Step, "scene">, seed: string, decimals: number): string {
  const isShort = scene.changes !== undefined;
  const digits = BigInt(`0x${digestOf(seed)}`)
    .toString()
    .slice(0, isShort ? 9 : 19)
    .replace(/^0/, "1");
  const all = `${digits}7`;
  const point = all.length - (isShort ? Math.min(decimals, 5) : decimals);
  return `${all.slice(0, point)}.${all.slice(point)}`;
}

export interface TradeSample {
  readonly market: Market;
  readonly venue: string;
  readonly tradedAt: number;
}

/** A trade of a listing; `seed` is different for each. It has every member of its kind, as all records here. */
export function tradeOf(step: Step, seed: string, { market, venue, tradedAt }: TradeSample): string {
  const [p, q] = [amountOf(step, `${seed}/p`, 15), amountOf(step, `${seed}/q`, 18)];
  const tid = digestOf(seed).slice(0, 32);
  const { aid, anm, pc, pn, qc, qn } = market;
  const trade = { tdt: tradedAt, aid, anm, p, pc, pn, q, qc, qn, ve: venue, pdt: tradedAt, vp: venue };
  return JSON.stringify({ ...trade, tid, s: "sell" });
}

export interface TransactionSample {
  readonly id: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly type: TransactionType;
  readonly state: TransactionState;
}

/** The types and states of a listing, in turn: three in a row have every member, and no type has a state of its own. */
export const sampleTypes = ["card_payment", "transfer", "atm", "transfer", "card_payment", "topup"] as const;
export const sampleStates = ["completed", "completed", "declined", "failed", "declined", "pending"] as const;

/** A transaction with one leg; its amounts are others in each act. */
export function transactionOf(step: Step, { id, createdAt, type, state }: TransactionSample): string {
  const [amount, balance, fee, billed] = ["amount", "balance", "fee", "billed"].map((name) =>
    amountOf(step, `${id}/${step.act}/${name}`, 4),
  );
  // A copy is searched for each record's own ids.
  const other = digestOf(id).slice(0, 16);
  const head = JSON.stringify({
    id,
    type,
    request_id: `request-${other}`,
    state,
    ...((state === "declined" || state === "failed") && { reason_code: "insufficient_balance" }),
    created_at: createdAt,
    updated_at: createdAt,
    ...(state === "completed" && { completed_at: createdAt }),
    scheduled_for: createdAt.slice(0, 10),
    related_transaction_id: `tx-${other}`,
    ...(cardTypes.has(type) && { merchant: MERCHANT }),
    reference: "Invoice 1",
  });
  const card = cardTypes.has(type) ? `,"card":${JSON.stringify({ id: `card-${other}`, ...CARD })}` : "";
  const leg =
    `{"leg_id":"leg-${other}","amount":-${amount},"fee":${fee},"currency":"EUR","bill_amount":${billed},"bill_currency":"USD",` +
    `"account_id":"account-${other}",` +
    `"counterparty":{"account_id":"payee-${other}","account_type":"external","id":"party-${other}"},"description":"Rent","balance":${balance}}`;
  return `${head.slice(0, -1)},"legs":[${leg}]${card}}`;
}

const MERCHANT = { id: "m-1", name: "Corner shop", city: "London", category_code: "5411", country: "GBR" };
const CARD = {
  card_number: "516760******5039",
  first_name: "Amara",
  last_name: "Okafor",
  phone: "+447700900203",
  references: [{ name: "Cost centre", value: "Roastery" }],
};

/** A sell order of this id. */
export function sellOrderOf(step: Step, id: string, payment: string, createdAt: string): string {
  const [crypto, fiat, rate, ...fees] = [18, 2, 2, 2, 2, 2, 2].map((decimals, at) =>
    amountOf(step, `${id}/${step.act}/${at}`, decimals),
  );
  const feesOf = (fee = "", partnerFee = ""): string =>
    `{"ramp_fee":{"amount":${fee},"currency":"EUR"},"partner_fee":{"amount":${partnerFee},"currency":"EUR"}}`;
  const status = step.scene.isOfFailure
    ? '"status":"FAILED","fail_reason":"REFUNDED"'
    : '"status":"COMPLETED"';
  return (
    `{"id":${JSON.stringify(id)},"fiat":{"amount":${fiat},"currency":"EUR"},` +
    `"crypto":{"amount":${crypto},"currencyId":"ETH"},"fees":${feesOf(...fees.slice(0, 2))},` +
    `"exchange_rate":${rate},"payment":${JSON.stringify(payment)},"created_at":"${createdAt}",` +
    `"updated_at":"${createdAt}",${status},"wallet":"0xbfe0facfa2e7220abe8e424fc3df1d96bbe0a89c",` +
    `"transaction_hash":"0x${digestOf(id)}","fees_partner_currency":${feesOf(...fees.slice(2))}}`
  );
}

/** The station whose pass a step still has: it changes at each one but those that say `same`. */
export const versionOf = ({ station, scene: { stations } }: Step): number =>
  stations.findLastIndex(({ answer }, at) => at <= station && answer !== "same");

/** The pass of a reference as of the step. */
export function passOf(step: Step, reference: string): string {
  const version = versionOf(step);
  const points = amountOf(step, `${reference}/${step.act}/${version}`, 2);
  return (
    `{"partner_reference":${JSON.stringify(reference)},"type":"loyalty_pass",` +
    `"version":${version + 1},"semantics":{"points":${points}},"relevant_at":"2026-01-04T08:00:00Z",` +
    `"actions":[{"type":"open"}],"triggers":[{"type":"time"}]}`
  );
}
