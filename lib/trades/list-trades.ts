import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { type Continuation, readCursor, requireSameDates, writeCursor } from "./cursor.ts";
import { resolveWindow, type Window } from "./date-range.ts";
import { readPage, type SegmentSource, type TradePage } from "./trade-reader.ts";
import { type MarketConstants, recordWriter } from "./trade-text.ts";

/** What a caller asks for, its parameters checked one by one. */
export interface TradesQuestion {
  readonly symbol: string;
  /** Epoch milliseconds. */
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface ListTradesParts {
  readonly markets: {
    /** The constants of a market's trades; `undefined` for a symbol that is none. */
    find(symbol: string): Promise<MarketConstants | undefined>;
    /** The symbol of a market that was probably meant by one that is none. */
    similarTo(symbol: string): Promise<string | undefined>;
  };
  readonly segments: SegmentSource;
  readonly venue: string;
  readonly clock: Clock;
  /** How many trades a segment gave lately, by market; kept from page to page, so that most pages take one query. */
  readonly yields?: Map<string, number>;
}

/** On fewer segments than this a page says little about how full they are. */
const TELLING_SEGMENTS_MIN = 4;

const SYMBOL = /^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$/;
const SYMBOL_SHOWN_MAX = 41;

/**
 * Validates symbol, cursor and dates before the caller is charged.
 *
 * @throws {Failure} `unknown_symbol`, `invalid_cursor`, `validation_error`
 */
export async function requireAnswerable(question: TradesQuestion, parts: ListTradesParts): Promise<void> {
  await findMarket(question.symbol, parts);
  const now = parts.clock();
  windowOf(question, continuationOf(question, now), now);
}

/**
 * Lists a page of a market's trades, newest first, as the text of the contract's answer (rules 1 to 6).
 *
 * @throws {Failure} as {@link requireAnswerable}, or what the store says.
 */
export async function listPage(question: TradesQuestion, parts: ListTradesParts): Promise<string> {
  const market = await findMarket(question.symbol, parts);
  const now = parts.clock();
  const from = continuationOf(question, now);
  const window = windowOf(question, from, now);
  const { symbol, limit } = question;
  const lately = parts.yields?.get(symbol);
  const page = await readPage(parts.segments, { symbol, window, from, limit, now, yield: lately });
  rememberYield(symbol, page, parts);
  return pageText(page, { symbol, window, market, venue: parts.venue, now: parts.clock() });
}

function rememberYield(symbol: string, { rows, next }: TradePage, { yields }: ListTradesParts): void {
  if (next !== undefined && rows.length >= TELLING_SEGMENTS_MIN * next.yield) yields?.set(symbol, next.yield);
}

const windowOf = (question: TradesQuestion, from: Continuation | undefined, now: number): Window =>
  from?.window ?? resolveWindow(question, now);

async function findMarket(symbol: string, { markets }: ListTradesParts): Promise<MarketConstants> {
  const market = SYMBOL.test(symbol) ? await markets.find(symbol) : undefined;
  if (market !== undefined) return market;
  const shown = symbol.slice(0, SYMBOL_SHOWN_MAX);
  const similar = shown === symbol ? await markets.similarTo(symbol) : undefined;
  const hint = similar === undefined ? "" : `; ${similar}?`;
  throw new Failure("unknown_symbol", `No such pair: ${shown}${hint}`);
}

function continuationOf(question: TradesQuestion, now: number): Continuation | undefined {
  if (question.cursor === undefined) return undefined;
  const continuation = readCursor(question.symbol, question.cursor, now);
  requireSameDates(continuation.window, question);
  return continuation;
}

interface PageContext {
  readonly symbol: string;
  readonly window: Window;
  readonly market: MarketConstants;
  readonly venue: string;
  readonly now: number;
}

/** Appends record by record: a list that is joined would be copied once more. */
function pageText({ rows, next }: TradePage, { symbol, window, market, venue, now }: PageContext): string {
  const recordOf = recordWriter(market, venue);
  let text = '{"data":[';
  for (const [at, row] of rows.entries()) text += at === 0 ? recordOf(row) : `,${recordOf(row)}`;
  const cursor = next === undefined ? "" : `,"next_cursor":"${writeCursor(symbol, { window, ...next })}"`;
  return `${text}],"metadata":{"timestamp":${now}${cursor}}}`;
}
