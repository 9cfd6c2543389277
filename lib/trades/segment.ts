import { comparePlaces, type Trade } from "./trade.ts";

/** The most trades in a segment. */
export const SEGMENT_TRADES_MAX = 250;
/** The longest time between the first and the last trade of a segment: readers look this far past an instant. */
export const SEGMENT_SPAN_MS = 2_000;
/** The length of a bucket. A segment lies in one bucket; a range of 30 days touches two at most. */
export const BUCKET_MS = 32 * 86_400_000;

/** Revision of trades as they were first reported. Corrections have higher ones. */
export const FIRST_REVISION = 0;
/** The highest revision that is taken in. */
export const REVISION_MAX = 1_000_000;

/** Trades that are stored together and never changed, in ascending order, no two in one place. */
export interface Segment {
  readonly revision: number;
  readonly trades: readonly [Trade, ...Trade[]];
}

/** The bucket of an instant (epoch milliseconds). */
export const bucketOf = (instantMs: number): number => Math.floor(instantMs / BUCKET_MS);

const textOf = (trade: Trade): string =>
  [Number(trade.withdrawn === true), trade.price, trade.quantity, trade.side ?? "", trade.publishedAt].join(
    "|",
  );

/**
 * Which of two records of one place and one revision counts; positive for `a`. It depends on the records alone, so that
 * every reader decides alike, in whatever order it meets them. A withdrawn record counts before any other.
 */
export function compareRecords(a: Trade, b: Trade): number {
  const [textA, textB] = [textOf(a), textOf(b)];
  return textA < textB ? -1 : Number(textA > textB);
}

/**
 * The trades in ascending order, in as many rows as it takes to have at most one of each place per row. A record that
 * counts before another of its place drops the other, unless it is published later: until then the other one counts.
 */
function sortTrades(trades: readonly Trade[]): Trade[][] {
  const rows: Trade[][] = [];
  let depth = 0;
  for (const trade of [...trades].sort((a, b) => comparePlaces(a, b) || compareRecords(b, a))) {
    const before = rows[depth]?.at(-1);
    if (before === undefined || comparePlaces(before, trade) !== 0) depth = 0;
    else if (trade.publishedAt < before.publishedAt) depth += 1;
    else continue;
    const row = rows[depth] ?? [];
    row.push(trade);
    rows[depth] = row;
  }
  return rows;
}

/** The stretch of the time grid that a trade is stored with: all trades of one stretch may share a segment. */
export const stretchOf = (trade: Pick<Trade, "tradedAt">): number =>
  Math.floor(trade.tradedAt / SEGMENT_SPAN_MS);

/**
 * Cuts trades into segments. The cuts lie on a fixed grid of {@link SEGMENT_SPAN_MS}, whatever a batch's first trade
 * is, so that overlapping files are mostly cut alike and overwrite what is stored already.
 */
export function cutSegments(trades: readonly Trade[], revision: number): Segment[] {
  return sortTrades(trades).flatMap((row) => cutRow(row, revision));
}

function cutRow(row: readonly Trade[], revision: number): Segment[] {
  const segments: { revision: number; trades: [Trade, ...Trade[]] }[] = [];
  for (const trade of row) {
    const open = segments.at(-1)?.trades;
    const fits =
      open !== undefined && open.length < SEGMENT_TRADES_MAX && stretchOf(open[0]) === stretchOf(trade);
    if (fits) open.push(trade);
    else segments.push({ revision, trades: [trade] });
  }
  return segments;
}
