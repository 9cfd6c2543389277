import { createHash } from "node:crypto";
import type { Market } from "../../lib/markets/market.ts";
import type { Step } from "./play.ts";
import type { GivenRecord } from "./visit.ts";

/** A record as it is served, and what a copy of it has to hold. */
export interface SampleRecord extends GivenRecord {
  readonly text: string;
}

const digestOf = (seed: string): string => createHash("sha256").update(seed).digest("hex");

/**
 * An amount of twenty digits that no double holds, the same for the same seed. It does not end in a zero, which a client
 * may leave out without losing anything.
 */
function amountOf(seed: string, decimals: number): string {
  const digits = BigInt(`0x${digestOf(seed)}`)
    .toString()
    .slice(0, 19)
    .replace(/^0/, "1");
  const all = `${digits}7`;
  return `${all.slice(0, all.length - decimals)}.${all.slice(-decimals)}`;
}

/** A member that no contract has, to put in front of the others. */
const NEWER = '"added_later":{"kind":"unknown","values":[1,null]},';

const newerOf = ({ answer }: Pick<Step, "answer">): string => (answer === "newer" ? NEWER : "");

export interface TradeSample {
  readonly market: Market;
  readonly venue: string;
  readonly tradedAt: number;
}

/** A trade of a listing; `seed` is different for each. */
export function tradeOf(step: Step, seed: string, { market, venue, tradedAt }: TradeSample): SampleRecord {
  const [p, q] = [amountOf(`${seed}/p`, 15), amountOf(`${seed}/q`, 18)];
  const id = digestOf(seed).slice(0, 32);
  const { aid, anm, pc, pn, qc, qn } = market;
  const members = JSON.stringify({
    tdt: tradedAt,
    aid,
    anm,
    p,
    pc,
    pn,
    q,
    qc,
    qn,
    ve: venue,
    pdt: tradedAt,
    vp: venue,
    tid: id,
    ...(step.answer !== "bare" && { s: "sell" }),
  });
  return { id, amounts: [p, q], text: `{${newerOf(step)}${members.slice(1)}` };
}

export interface TransactionSample {
  readonly id: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly type: string;
  readonly state: string;
}

/** A transaction with one leg; its amounts are others in each act. */
export function transactionOf(step: Step, { id, createdAt, type, state }: TransactionSample): SampleRecord {
  const isBare = step.answer === "bare";
  const [amount, balance] = ["amount", "balance"].map((name) => amountOf(`${id}/${step.act}/${name}`, 4));
  const head = JSON.stringify({
    id,
    type,
    state,
    created_at: createdAt,
    updated_at: createdAt,
    ...(!isBare && { completed_at: createdAt, reference: "Invoice 1" }),
  });
  const more = isBare ? "" : `,"description":"Rent","balance":${balance}`;
  const leg = `{"leg_id":"leg-1","amount":-${amount},"currency":"EUR","account_id":"acct-main"${more}}`;
  const amounts = [amount, isBare ? undefined : balance].filter((text) => text !== undefined);
  return { id, amounts, text: `{${newerOf(step)}${head.slice(1, -1)},"legs":[${leg}]}` };
}

/** A sell order of this id. */
export function sellOrderOf(step: Step, id: string, payment: string, createdAt: string): SampleRecord {
  const amount = amountOf(`${id}/${step.act}/crypto`, 18);
  const fee = step.answer === "bare" ? "" : `,"partner_fee":{"amount":41.83,"currency":"EUR"}`;
  const wallet = step.answer === "bare" ? "" : `,"wallet":"0xbfe0facfa2e7220abe8e424fc3df1d96bbe0a89c"`;
  const text =
    `{${newerOf(step)}"id":${JSON.stringify(id)},"fiat":{"amount":8240.70,"currency":"EUR"},` +
    `"crypto":{"amount":${amount},"currencyId":"ETH"},"fees":{"ramp_fee":{"amount":83.66,"currency":"EUR"}${fee}},` +
    `"exchange_rate":2914.37,"payment":${JSON.stringify(payment)},"created_at":"${createdAt}",` +
    `"updated_at":"${createdAt}","status":"COMPLETED"${wallet},"fees_partner_currency":{}}`;
  return { id, amounts: [amount], text };
}

/** The pass of a reference as of the step: it changes at each station but those that say `same`. */
export function passOf({ act, station, scene: { stations } }: Step, reference: string): SampleRecord {
  const version = stations.findLastIndex(({ answer }, at) => at <= station && answer !== "same");
  const { answer = "plain" } = stations[version] ?? {};
  const points = amountOf(`${reference}/${act}/${version}`, 2);
  const more = answer === "bare" ? "" : `,"relevant_at":"2026-01-04T08:00:00Z"`;
  const text =
    `{${newerOf({ answer })}"partner_reference":${JSON.stringify(reference)},"type":"loyalty_pass",` +
    `"version":${version + 1},"semantics":{"points":${points}}${more}}`;
  return { id: `${reference}, version ${version + 1}`, amounts: [points], text };
}
