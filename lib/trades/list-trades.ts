import type * as z from "zod/mini";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import type { MakePlan } from "../http/plan.ts";
import type { Log } from "../log.ts";
import type { listTrades } from "./contract.ts";
import { type Continuation, readCursor, requireSameDates, writeCursor } from "./cursor.ts";
import { costOf, resolveWindow, type Window } from "./date-range.ts";
import { DamagedSegment } from "./read-segment.ts";
import { reportDamage } from "./report-damage.ts";
import { readPage, type SegmentSource, type TradePage } from "./trade-reader.ts";
import { type MarketConstants, recordWriter } from "./trade-text.ts";

export interface ListTradesParts {
  readonly markets: {
    /** The constants of a market's trades; undefined for a symbol without a market. */
    get(symbol: string): Promise<MarketConstants | undefined>;
    /** The symbol of the market that was probably meant by a symbol without one. */
    similarTo(symbol: string): Promise<string | undefined>;
  };
  readonly segments: SegmentSource;
  readonly venue: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The requested page of a market, as of one reading of the clock. */
interface Listing {
  readonly symbol: string;
  readonly market: MarketConstants;
  readonly window: Window;
  /** Where the previous page ended; undefined for a first page. */
  readonly from: Continuation | undefined;
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A page from fewer segments than this says little about how full they are. */
const TELLING_SEGMENTS_MIN = 4;

const SYMBOL_SHOWN_MAX = 41;

/**
 * Plans `GET /1.0/trades/all/{symbol}`: a page of a market's trades, newest first (rules 1 to 6), for one token per day
 * of its window. A symbol without a market is an `unknown_symbol`, a cursor of another listing an `invalid_cursor`, and
 * a wrong window a `validation_error`; each of these costs nothing.
 */
export function planListTrades(parts: ListTradesParts): MakePlan<typeof listTrades> {
  /** Trades that a segment gave lately, by market; kept from page to page, so that most pages take one query. */
  const yields = new Map<string, number>();
  return async ({ path, query }) => {
    const market = await getMarket(path.symbol, parts.markets);
    const listing = { ...readQuestion(path.symbol, query, parts.clock()), market };
    return {
      cost: costOf(listing.window),
      answer: async () => {
        const page = await readReported(listing, parts, yields);
        return { body: pageText(page, listing, { venue: parts.venue, timestamp: parts.clock() }) };
      },
    };
  };
}

async function getMarket(symbol: string, markets: ListTradesParts["markets"]): Promise<MarketConstants> {
  const market = await markets.get(symbol);
  if (market !== undefined) return market;
  const shown = symbol.slice(0, SYMBOL_SHOWN_MAX);
  const similar = shown === symbol ? await markets.similarTo(symbol) : undefined;
  const hint = similar === undefined ? "" : `; did you mean ${similar}?`;
  throw new Failure("unknown_symbol", `No such pair: ${shown}${hint}`);
}

/** The requested window, and where in it to begin. A cursor has both, and the query's dates must match its window. */
function readQuestion(
  symbol: string,
  query: z.infer<typeof listTrades.query>,
  now: number,
): Omit<Listing, "market"> {
  const { limit, cursor, start_date: startMs, end_date: endMs } = query;
  const from = cursor === undefined ? undefined : readCursor(symbol, cursor, now);
  if (from !== undefined) requireSameDates(from.window, { startMs, endMs });
  const window = from?.window ?? resolveWindow({ startMs, endMs }, now);
  return { symbol, window, from, limit, now };
}

/** Reads the page. A damaged segment in its way is reported to the operator. */
async function readReported(
  { symbol, window, from, limit, now }: Listing,
  { segments, clock, log }: ListTradesParts,
  yields: Map<string, number>,
): Promise<TradePage> {
  try {
    const page = await readPage(segments, { symbol, window, from, limit, now, yield: yields.get(symbol) });
    rememberYield(symbol, page, yields);
    return page;
  } catch (error) {
    if (error instanceof DamagedSegment) reportDamage(symbol, error, { clock, log });
    throw error;
  }
}

function rememberYield(symbol: string, { rows, next }: TradePage, yields: Map<string, number>): void {
  if (next !== undefined && rows.length >= TELLING_SEGMENTS_MIN * next.yield) yields.set(symbol, next.yield);
}

/**
 * The contract's answer. It is appended record by record, because joining a list would copy it once more.
 *
 * @param timestamp when the request is answered, epoch milliseconds.
 */
function pageText(
  { rows, next }: TradePage,
  { symbol, market, window }: Listing,
  { venue, timestamp }: { readonly venue: string; readonly timestamp: number },
): string {
  const recordOf = recordWriter(market, venue);
  let text = '{"data":[';
  for (const [at, row] of rows.entries()) text += at === 0 ? recordOf(row) : `,${recordOf(row)}`;
  const cursor = next === undefined ? "" : `,"next_cursor":"${writeCursor(symbol, { window, ...next })}"`;
  return `${text}],"metadata":{"timestamp":${timestamp}${cursor}}}`;
}
