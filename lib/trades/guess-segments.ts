import { SEGMENT_TRADES_MAX } from "./segment.ts";

/** What a page wants, and what it has come to so far. */
export interface PageProgress {
  /** Trades that it needs to be final. */
  readonly wanted: number;
  /** How many trades a segment of this market gave lately, where that is known. */
  readonly yield: number | undefined;
  /** Whether it goes on where another page ended. */
  readonly isContinued: boolean;
  readonly queries: number;
  /** Read units that it took, and those that are left to it; none or less where it has to go on nevertheless. */
  readonly units: number;
  readonly unitsLeft: number;
  readonly finalRows: number;
  /** Of the segments that were read: how many, all trades in them, and those that may be shown. */
  readonly added: { readonly segments: number; readonly rows: number; readonly trades: number };
}

/** Segments beside those that a page needs at least: the one that it begins in, and the one that makes its end final. */
const SEGMENTS_SPARE = 2;
const SEGMENTS_MAX = 1_000;
/** How many times as many to ask for after segments that gave nothing. */
const GROWTH = 4;
const HOPEFUL_QUERIES = 3;

/** How many segments to ask for in a page's next query. */
export const guessSegments = (progress: PageProgress): number =>
  progress.added.segments === 0
    ? guessFirst(progress)
    : Math.min(SEGMENTS_MAX, guessNext(progress), affordable(progress));

/** As many as the units that are left pay for, at the price of those before: more would be read for nothing. */
const affordable = ({ units, unitsLeft, added }: PageProgress): number =>
  unitsLeft > 0 ? Math.ceil((unitsLeft * added.segments) / units) : SEGMENTS_MAX;

/** Segments to begin a page with: as if all were full, or as pages before suggest, within reason. */
function guessFirst({ wanted, yield: gave, isContinued }: PageProgress): number {
  const full = Math.ceil(wanted / SEGMENT_TRADES_MAX) + SEGMENTS_SPARE;
  if (gave === undefined) return full;
  const suggested = Math.min(GROWTH * full, Math.ceil(wanted / gave) + 1);
  // A cursor says where to begin; a first page may meet segments that are too new for it.
  return isContinued ? suggested : Math.max(1 + SEGMENTS_SPARE, suggested);
}

/**
 * Segments to go on with: as many as those that were seen suggest. Every trade in them is taken to count, until that has
 * proved too hopeful twice: then only those do that did, and each query asks for half as many as were seen at least.
 */
function guessNext({ wanted, queries, finalRows, added }: PageProgress): number {
  const isHopeful = queries < HOPEFUL_QUERIES;
  const counted = isHopeful ? added.rows : finalRows;
  if (counted === 0) return GROWTH * added.segments;
  const perSegment = (isHopeful ? added.trades : counted) / added.segments;
  const least = isHopeful ? SEGMENTS_SPARE : Math.max(SEGMENTS_SPARE, Math.ceil(added.segments / 2));
  return Math.max(least, Math.ceil((wanted - counted) / perSegment) + 1);
}
