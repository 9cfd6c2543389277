import { decimalViolation } from "./decimal.ts";
import { INSTANT_MAX_MS, isInstant, type Trade } from "./trade.ts";
import { tradeSides } from "./trade-kinds.ts";

/** The longest time between a trade and its publication: twice this is the longest step in a segment's columns. */
export const PUBLICATION_APART_MAX_MS = (Number.MAX_SAFE_INTEGER - 1) / 2;

const SIDES: readonly unknown[] = [...tradeSides, undefined];

/** 32 lower-case hex digits. */
export const TRADE_ID = /^[0-9a-f]{32}$/;

/** The first rule that a trade breaks, with the contract's member and without its value; undefined for a good trade. */
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
