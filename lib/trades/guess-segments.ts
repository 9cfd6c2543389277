import { SEGMENT_TRADES_MAX } from "./segment.ts";

/** The aim of a page, and its progress so far. */
export interface PageProgress {
  /** Final trades that the page needs. */
  readonly wanted: number;
  /** Trades that a segment of this market gave lately, where that is known. */
  readonly yield: number | undefined;
  /** Whether the page continues another one. */
  readonly isContinued: boolean;
  readonly queries: number;
  /**
   * Read units that the page has taken, and those that are left; zero or less when the page must go on nevertheless.
   */
  readonly units: number;
  readonly unitsLeft: number;
  readonly finalRows: number;
  /** Of the segments that were read: their number, their rows that may be shown, and all trades in them. */
  readonly added: { readonly segments: number; readonly rows: number; readonly trades: number };
}

/** Segments beyond the least that a page needs: the one in which it begins, and the one that makes its end final. */
const SEGMENTS_SPARE = 2;
const SEGMENTS_MAX = 1_000;
/** The factor by which more segments are requested after segments that gave nothing. */
const GROWTH = 4;
const HOPEFUL_QUERIES = 3;

/** How many segments to request in a page's next query. */
export const guessSegments = (progress: PageProgress): number =>
  progress.added.segments === 0
    ? guessFirst(progress)
    : Math.min(SEGMENTS_MAX, guessNext(progress), affordable(progress));

/** As many as the units that are left pay for, at the price so far: more would be read for nothing. */
const affordable = ({ units, unitsLeft, added }: PageProgress): number =>
  unitsLeft > 0 ? Math.ceil((unitsLeft * added.segments) / units) : SEGMENTS_MAX;

/** Segments to begin a page with: as if all were full, or as pages before suggest, within reason. */
function guessFirst({ wanted, yield: gave, isContinued }: PageProgress): number {
  const full = Math.ceil(wanted / SEGMENT_TRADES_MAX) + SEGMENTS_SPARE;
  if (gave === undefined) return full;
  const suggested = Math.min(GROWTH * full, Math.ceil(wanted / gave) + 1);
  // A continued page begins at its segment; a first page may meet segments that are too new for it.
  return isContinued ? suggested : Math.max(1 + SEGMENTS_SPARE, suggested);
}

/**
 * Segments to go on with: as many as those that were read suggest. Every trade in them is taken to count, until that
 * was too hopeful twice. From then on only final rows count, and each query requests at least half as many segments.
 */
function guessNext({ wanted, queries, finalRows, added }: PageProgress): number {
  const isHopeful = queries < HOPEFUL_QUERIES;
  const counted = isHopeful ? added.rows : finalRows;
  if (counted === 0) return GROWTH * added.segments;
  const perSegment = (isHopeful ? added.trades : counted) / added.segments;
  const least = isHopeful ? SEGMENTS_SPARE : Math.max(SEGMENTS_SPARE, Math.ceil(added.segments / 2));
  return Math.max(least, Math.ceil((wanted - counted) / perSegment) + 1);
}
