import { readPage } from "../../lib/trades/trade-reader.ts";
import { busyTrades } from "../support/busy-trades.ts";
import { SYMBOL, segmentTableOf } from "../support/trade-data.ts";

const DAY_MS = 86_400_000;
/** The newest trade of the market that is read, in the middle of a bucket. */
const LAST_TRADE_MS = 1_795_000_000_000;

/** A page of a market's trades, and the pace of the market. */
export interface PageKind {
  readonly tradesPerSecond: number;
  readonly limit: number;
  /** How long before the page is read its newest trade was made, in ms. */
  readonly ageMs: number;
}

/**
 * Read units of a page, as the real reader reads it from segments that the real writer wrote, counted as DynamoDB's
 * documentation counts. Trades of the last 30 seconds are read with strong consistency, at twice the units.
 */
export async function pageUnits({ tradesPerSecond, limit, ageMs }: PageKind): Promise<number> {
  const table = await segmentTableOf(busyTrades(limit + 500, tradesPerSecond, LAST_TRADE_MS));
  const window = { startMs: LAST_TRADE_MS - DAY_MS, endMs: LAST_TRADE_MS };
  const { next } = await readPage(table, { symbol: SYMBOL, window, limit, now: LAST_TRADE_MS + ageMs });
  if (next === undefined) throw new Error("The page is not full.");
  return table.readUnits;
}
