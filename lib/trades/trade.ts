import { decimalViolation } from "./decimal.ts";

/** The aggressor's side: what the one who took the offer did (contract: "Trade side", member `s`). */
export type Side = "buy" | "sell";

/** One trade of a market, without the constants that all of the market's trades share. */
export interface Trade {
  /** When it was made, epoch milliseconds (`tdt`). */
  readonly tradedAt: number;
  /** From when it may be shown, epoch milliseconds (`pdt`). */
  readonly publishedAt: number;
  /** Plain decimal text, kept to the letter (`p`). */
  readonly price: string;
  /** Plain decimal text, kept to the letter (`q`). */
  readonly quantity: string;
  /** 32 lower-case hex digits (`tid`). */
  readonly id: string;
  readonly side?: Side;
  /** Whether it was taken back: readers are shown nothing in its place. */
  readonly withdrawn?: boolean;
}

/** Where a trade stands in the order of its market: by instant, then by id. No two trades share a place. */
export type Place = Pick<Trade, "tradedAt" | "id">;

/** The last instant that a calendar date has (ECMAScript 21.4.1.1), in epoch milliseconds. */
export const INSTANT_MAX_MS = 8_640_000_000_000_000;
/** How far apart a trade and its publication may lie: twice this is the longest step that a segment's columns hold. */
export const PUBLICATION_APART_MAX_MS = (Number.MAX_SAFE_INTEGER - 1) / 2;

const SIDES: readonly unknown[] = ["buy", "sell", undefined];

const TRADE_ID = /^[0-9a-f]{32}$/;

/** Negative when `a` comes before `b` in time, positive when after, 0 when they are the same place. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.tradedAt !== b.tradedAt) return a.tradedAt - b.tradedAt;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** A place as a text of its own, to look things up by. */
export const placeText = ({ tradedAt, id }: Place): string => `${tradedAt}/${id}`;

/** Whether a number is an instant that a trade may have. */
export const isInstant = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= INSTANT_MAX_MS;

/** The first rule that a trade breaks, naming the contract's member and repeating no value; nothing for a good one. */
export function tradeViolation(trade: Trade): string | undefined {
  const instant = `must be whole epoch milliseconds from 0 to ${INSTANT_MAX_MS}`;
  if (!isInstant(trade.tradedAt)) return `tdt ${instant}`;
  if (!isInstant(trade.publishedAt)) return `pdt ${instant}`;
  if (Math.abs(trade.publishedAt - trade.tradedAt) > PUBLICATION_APART_MAX_MS)
    return `pdt must lie within ${PUBLICATION_APART_MAX_MS} ms of tdt`;
  if (!TRADE_ID.test(trade.id)) return "tid must be 32 lower-case hex digits";
  const priceViolation = decimalViolation(trade.price);
  if (priceViolation !== undefined) return `p ${priceViolation}`;
  const quantityViolation = decimalViolation(trade.quantity);
  if (quantityViolation !== undefined) return `q ${quantityViolation}`;
  return SIDES.includes(trade.side) ? undefined : "s must be buy or sell";
}
