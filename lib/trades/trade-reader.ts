import type { Continuation } from "./cursor.ts";
import type { Window } from "./date-range.ts";
import { PageBuffer, type Row } from "./page-buffer.ts";
import { readSegments } from "./read-segment.ts";
import { BUCKET_MS, bucketOf, SEGMENT_SPAN_MS, SEGMENT_TRADES_MAX } from "./segment.ts";
import { placeAt, type SegmentColumns } from "./segment-columns.ts";
import { highestKeyAt, lastPlaceAt, lowestKeyAt, partitionOf, readKey } from "./segment-key.ts";
import { comparePlaces, type Place } from "./trade.ts";
import type { SegmentPage, SegmentQuestion, StoredSegment } from "./trade-store.ts";

/** Answers questions for segments, one query each. */
export interface SegmentSource {
  query(question: SegmentQuestion): Promise<SegmentPage>;
}

/** Which page is wanted. */
export interface PageQuestion {
  readonly symbol: string;
  readonly window: Window;
  /** What the page before left; none for a first page. */
  readonly from?: NextPage | undefined;
  /** How many trades a segment of this market gave lately, where that is known. */
  readonly yield?: number | undefined;
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Where a page ended, from where reading may go on, and how many trades a segment gave. */
export type NextPage = Omit<Continuation, "window">;

/** Trades, newest first, and where the next page begins when there is one. */
export interface TradePage {
  readonly rows: readonly Row[];
  readonly next: NextPage | undefined;
}

/** Within this time of now a range is still being written to: there queries are strongly consistent. */
const RECENT_MS = 30_000;
/** Segments beside those that a page needs at least: the one that it begins in, and the one that settles its end. */
const SEGMENTS_SPARE = 2;
const SEGMENTS_MAX = 1_000;
/** How many times as many to ask for after segments that gave nothing. */
const GROWTH = 4;
const HOPEFUL_QUERIES = 3;
/** After so many queries a page ends early, if there is anything on it. */
const QUERIES_MAX = 40;

/**
 * Reads one page of a market's trades, newest first. Segments are read downwards by their last trade. No segment that
 * was not read yet holds a trade newer than the last trade of the one read last, so what is newer is settled. There is
 * a `next` exactly when at least one more trade is known to follow; a page has fewer trades than `limit` only when
 * they are the last, or when very many segments gave very few.
 *
 * @throws {DamagedSegment} when a damaged segment may hold a trade of the page.
 */
export async function readPage(source: SegmentSource, question: PageQuestion): Promise<TradePage> {
  const wanted = question.limit + 1;
  const buffer = new PageBuffer(filterOf(question));
  let settled: Row[] = [];
  let queries = 0;
  const guess = () =>
    buffer.segmentCount === 0 ? guessFirst(question) : guessNext(buffer, settled, wanted, queries);
  for await (const { segments, floor } of readDown(source, question, guess)) {
    buffer.add(segments);
    settled = buffer.settle(floor, wanted);
    queries += 1;
    if (settled.length === wanted) return pageOf(buffer, settled.slice(0, -1), floor);
    if (queries >= QUERIES_MAX && settled.length > 0 && floor !== undefined)
      return pageOf(buffer, settled, floor);
  }
  return { rows: settled, next: undefined };
}

const filterOf = ({ window, from, now }: PageQuestion) => ({ ...window, before: from?.position, now });

function pageOf(buffer: PageBuffer, rows: readonly Row[], floor: Place | undefined): TradePage {
  const last = rows.at(-1);
  if (last === undefined) throw new Error("A page without trades has no next page.");
  const position = placeAt(last.columns, last.row);
  const resumeAt = buffer.resumption(position) ?? floor ?? position;
  const gave = Math.max(1, Math.floor(rows.length / new Set(rows.map(({ columns }) => columns)).size));
  return { rows, next: { position, resumeAt, yield: gave } };
}

/** One answer of the store, and the place above which nothing can be added any more; none at the end of a bucket. */
interface Reading {
  readonly segments: readonly SegmentColumns[];
  readonly floor: Place | undefined;
}

/** Reads the segments that may hold trades of a page, from the newest to the oldest, one query at a time. */
async function* readDown(
  source: SegmentSource,
  { symbol, window, from, now }: PageQuestion,
  guess: () => number,
): AsyncGenerator<Reading> {
  const newest = newestPlace(window, from);
  const upperMs = Math.min(window.endMs, from?.position.tradedAt ?? window.endMs);
  const isRecent = (instantMs: number): boolean => instantMs >= now - RECENT_MS;
  let isConsistent = isRecent(upperMs);
  const lowestBucket = bucketOf(Math.max(0, window.startMs));
  const bounds = { from: lowestKeyAt(window.startMs), to: highestKeyAt(newest) };
  const highestBucket = bucketOf(Math.min(newest.tradedAt, upperMs));
  for (let bucket = highestBucket; bucket >= lowestBucket; bucket -= 1) {
    const partition = partitionOf(symbol, bucket);
    let after: Buffer | undefined;
    do {
      const page = await source.query({ partition, ...bounds, after, segmentsMax: guess(), isConsistent });
      after = page.hasMore ? page.segments.at(-1)?.sort : undefined;
      const { segments, damaged } = readSegments(page.segments, upperMs);
      const floor = lastPlaceOf(damaged?.segment ?? (page.hasMore ? page.segments.at(-1) : undefined));
      isConsistent &&= isRecent(floor?.tradedAt ?? bucket * BUCKET_MS);
      yield { segments, floor };
      if (damaged !== undefined) throw damaged;
    } while (after !== undefined);
  }
}

const lastPlaceOf = (segment: StoredSegment | undefined): Place | undefined =>
  segment && readKey(segment.sort).last;

/** The last trade that a segment can have which holds a trade of the page. */
function newestPlace({ endMs }: Window, from: PageQuestion["from"]): Place {
  const byEnd = lastPlaceAt(Math.min(endMs, from?.position.tradedAt ?? endMs) + SEGMENT_SPAN_MS);
  return from !== undefined && comparePlaces(from.resumeAt, byEnd) < 0 ? from.resumeAt : byEnd;
}

/** Segments to begin a page with: as if all were full, or as pages before suggest, within reason. */
function guessFirst({ limit, from, yield: lately }: PageQuestion): number {
  const full = Math.ceil((limit + 1) / SEGMENT_TRADES_MAX) + SEGMENTS_SPARE;
  const gave = from?.yield ?? lately;
  if (gave === undefined) return full;
  const suggested = Math.min(GROWTH * full, Math.ceil((limit + 1) / gave) + 1);
  // A cursor says where to begin; a first page may meet segments that are too new for it.
  return from === undefined ? Math.max(1 + SEGMENTS_SPARE, suggested) : suggested;
}

/**
 * Segments to go on with: as many as those that were seen suggest. Every trade in them is taken to count, until that has
 * proved too hopeful twice: then only those do that did.
 */
function guessNext(buffer: PageBuffer, settled: readonly Row[], wanted: number, queries: number): number {
  const seen = buffer.segmentCount;
  const isHopeful = queries < HOPEFUL_QUERIES;
  const counted = isHopeful ? buffer.rowCount : settled.length;
  if (counted === 0) return Math.min(SEGMENTS_MAX, seen * GROWTH);
  const perSegment = (isHopeful ? buffer.tradeCount : counted) / seen;
  return Math.min(SEGMENTS_MAX, Math.max(SEGMENTS_SPARE, Math.ceil((wanted - counted) / perSegment) + 1));
}
