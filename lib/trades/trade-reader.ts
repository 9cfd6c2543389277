import type { Continuation } from "./cursor.ts";
import type { Window } from "./date-range.ts";
import { guessSegments } from "./guess-segments.ts";
import { PageBuffer } from "./page-buffer.ts";
import { olderOf } from "./places.ts";
import { readDown, type SegmentRange } from "./read-down.ts";
import { SEGMENT_SPAN_MS, stretchOf } from "./segment.ts";
import type { Row } from "./segment-columns.ts";
import { lastPlaceAt } from "./segment-key.ts";
import { comparePlaces, type Place } from "./trade.ts";
import type { SegmentPage, SegmentQuestion } from "./trade-store.ts";

/** Answers questions for segments, each by one query. */
export interface SegmentSource {
  page(question: SegmentQuestion): Promise<SegmentPage>;
}

/** The page to read. */
export interface PageQuestion {
  readonly symbol: string;
  readonly window: Window;
  /** The end of the previous page; undefined for a first page. */
  readonly from?: NextPage | undefined;
  /** Trades that a segment of this market gave lately, where that is known. */
  readonly yield?: number | undefined;
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Where a page ended, where reading may continue, and how many trades a segment gave. */
export type NextPage = Omit<Continuation, "window">;

/** Trades, newest first, and where the next page begins when there is one. */
export interface TradePage {
  readonly rows: readonly Row[];
  readonly next: NextPage | undefined;
}

/**
 * A page ends after this many read units with what it has, even if that is nothing, unless the next page would have to
 * read most of it again. One query reads 1 MB and the rest of an item: 131 units at most, and 262 when strongly
 * consistent.
 */
export const READ_UNITS_MAX = 256;

/**
 * Trades that were made this shortly before a listing began, and were stored by then, may not be in every copy of
 * DynamoDB yet. This long after the listing began, they are.
 */
export const RECENT_MS = 30_000;

/**
 * A listing that began longer ago does not rely on the place where its cursor says that reading may begin again. The
 * trades that follow may have been compacted since, into a segment that ends above that place. Compaction keeps the
 * former segments for longer than this.
 */
export const RESUME_MS_MAX = 15_000;

/**
 * Reads one page of a market's trades, newest first. Segments are read downwards by their last trade. No unread segment
 * holds a trade newer than the last trade of the latest segment read, so newer trades are final. A page has fewer
 * trades than `limit` but still a `next` only when it has read its {@link READ_UNITS_MAX}. Otherwise there is a `next`
 * exactly when at least one more trade is known to follow. Each page continues below the previous one.
 *
 * @throws {DamagedSegment} when a damaged segment may hold a trade of the page.
 */
export async function readPage(source: SegmentSource, question: PageQuestion): Promise<TradePage> {
  const ask = (asked: SegmentQuestion) => source.page(asked);
  const range = rangeOf(question);
  const buffer = new PageBuffer(filterOf(question));
  const spent = { queries: 0, units: 0 };
  for await (const reading of readDown(ask, range, () => guess(question, buffer, spent))) {
    buffer.add(reading.segments);
    buffer.finalize(reading.floor);
    spent.queries += 1;
    spent.units += reading.units;
    const isSpent = spent.units >= READ_UNITS_MAX && reading.floor !== undefined;
    if (!buffer.isFull && !isSpent) continue;
    const page = pageOf(question, buffer, reading.floor);
    // Where segments overlap, a page that ended too soon would make the next page read them all again.
    const isWorthIt =
      buffer.isHalfPassed && comparePlaces(beginningAt(page.next, question.now), range.newest) < 0;
    if (buffer.isFull || isWorthIt) return page;
  }
  return { rows: buffer.finalRows, next: undefined };
}

interface Spent {
  readonly queries: number;
  readonly units: number;
}

function guess({ limit, from, yield: lately }: PageQuestion, buffer: PageBuffer, spent: Spent): number {
  return guessSegments({
    ...spent,
    unitsLeft: READ_UNITS_MAX - spent.units,
    wanted: limit + 1,
    yield: from?.yield ?? lately,
    isContinued: from !== undefined,
    finalRows: buffer.finalRows.length,
    added: buffer.added,
  });
}

/** The instant by which publication is judged: the beginning of the listing, and never later than now. */
const asOf = ({ from, now }: PageQuestion): number => Math.min(from?.begunAt ?? now, now);

const newestWanted = ({ window, from }: PageQuestion): Place =>
  from === undefined ? lastPlaceAt(window.endMs) : olderOf(lastPlaceAt(window.endMs), from.position);

const filterOf = (question: PageQuestion) => ({
  startMs: question.window.startMs,
  upTo: newestWanted(question),
  asOf: asOf(question),
  wanted: question.limit + 1,
});

/** The newest place at which a segment with the next trade can end, for a listing that continues at this instant. */
function beginningAt({ begunAt, position, resumeAt }: NextPage, now: number): Place {
  return now - begunAt <= RESUME_MS_MAX
    ? resumeAt
    : lastPlaceAt((stretchOf(position) + 1) * SEGMENT_SPAN_MS - 1);
}

function rangeOf(question: PageQuestion): SegmentRange {
  const { symbol, window, from, now } = question;
  const upToMs = newestWanted(question).tradedAt;
  const highest = lastPlaceAt(upToMs + SEGMENT_SPAN_MS);
  return {
    symbol,
    startMs: window.startMs,
    newest: from === undefined ? highest : olderOf(beginningAt(from, now), highest),
    upToMs,
    recentSinceMs: Math.max(asOf(question), now - RECENT_MS) - RECENT_MS,
  };
}

function pageOf({ limit, from, now }: PageQuestion, buffer: PageBuffer, floor: Place | undefined) {
  const rows = buffer.finalRows.slice(0, limit);
  const position = buffer.positionAfter(rows);
  const resumeAt = buffer.resumption(position) ?? floor ?? position;
  return { rows, next: { begunAt: from?.begunAt ?? now, position, resumeAt, yield: yieldOf(rows) } };
}

function yieldOf(rows: readonly Row[]): number {
  const segments = new Set(rows.map(({ columns }) => columns)).size;
  return Math.max(1, Math.floor(rows.length / Math.max(1, segments)));
}
