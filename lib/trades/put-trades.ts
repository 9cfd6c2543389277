import { packSegment } from "./pack-segment.ts";
import { readSegment } from "./read-segment.ts";
import { bucketOf, cutSegments, FIRST_REVISION, SEGMENT_SPAN_MS, stretchOf } from "./segment.ts";
import { isWithdrawnAt, placeAt } from "./segment-columns.ts";
import { type Place, placeText, type Trade } from "./trade.ts";
import type { StoredSegment } from "./trade-store.ts";

/** A stretch of time within one bucket, in epoch milliseconds, both ends included. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The store that segments are written to. */
export interface SegmentSink {
  /** Writes segments, whatever is stored already; gives up when the signal is aborted. */
  put(segments: readonly StoredSegment[], signal?: AbortSignal): Promise<void>;
  /** Whether a segment that was to be written was stored already; absent from a sink that does not look. */
  wasStored?(segment: StoredSegment): boolean;
  /** The withdrawals of a market that stand apart from its trades and end in a span, as of every answered write. */
  withdrawals(symbol: string, span: Span): Promise<readonly StoredSegment[]>;
}

/**
 * The longest time from reading the withdrawals of a batch to the end of its writing. Compaction removes records for
 * good only when their withdrawal has stood apart for longer, when no writer that missed it can put them back.
 */
export const WRITE_MS_MAX = 25_000;

/** The result of a batch. */
export interface WrittenTrades {
  /** Segments that are stored now. */
  readonly segments: number;
  /** Trades whose segment was stored already; absent from a sink that does not look. */
  readonly unchanged?: number;
  /** Trades that were left out, because this revision or a higher one withdraws them. */
  readonly withdrawn: number;
}

/**
 * Stores trades of a market that keep their rules (`tradeViolation`), in any order. Safe to run concurrently and
 * repeatedly: late, repeated and overlapping trades are still listed exactly once.
 *
 * @param revision 0 for trades as they were first reported. A higher one corrects: readers see the record of a trade
 * with the highest revision.
 * @throws {UnreadableSegment} when a segment would not read as it was written; then none was written.
 */
export async function putTrades(
  sink: SegmentSink,
  symbol: string,
  trades: readonly Trade[],
  revision = FIRST_REVISION,
): Promise<WrittenTrades> {
  const signal = AbortSignal.timeout(WRITE_MS_MAX);
  const withdrawn = await readWithdrawals(sink, symbol, trades);
  const standing = trades.filter((trade) => !((withdrawn.get(placeText(trade)) ?? -1) >= revision));
  const segments = cutSegments(standing, revision);
  const packed = segments.map((segment) => packSegment(symbol, segment));
  await sink.put(packed, signal);
  const isStored = (at: number) => sink.wasStored?.(packed[at] as StoredSegment) === true;
  const stored = segments.filter((_, at) => isStored(at)).flatMap((segment) => segment.trades);
  return {
    segments: segments.length,
    ...(sink.wasStored !== undefined && { unchanged: stored.length }),
    withdrawn: trades.length - standing.length,
  };
}

/** The highest revision that withdraws the trade of each place, from the withdrawals that stand apart. */
async function readWithdrawals(
  sink: SegmentSink,
  symbol: string,
  trades: readonly Trade[],
): Promise<ReadonlyMap<string, number>> {
  const highest = new Map<string, number>();
  for (const span of spansOf(trades)) {
    for (const segment of await sink.withdrawals(symbol, span)) {
      const columns = readSegment(segment);
      for (let row = 0; row < columns.count; row += 1) {
        const place = placeText(placeAt(columns, row));
        if (isWithdrawnAt(columns, row))
          highest.set(place, Math.max(highest.get(place) ?? -1, columns.revision));
      }
    }
  }
  return highest;
}

/** For each bucket of the trades, the span of the segments that may withdraw them. */
function spansOf(trades: readonly Place[]): Iterable<Span> {
  const spans = new Map<number, Span>();
  for (const { tradedAt } of trades) {
    const bucket = bucketOf(tradedAt);
    const endMs = (stretchOf({ tradedAt }) + 1) * SEGMENT_SPAN_MS - 1;
    const { fromMs, toMs } = spans.get(bucket) ?? { fromMs: tradedAt, toMs: endMs };
    spans.set(bucket, { fromMs: Math.min(fromMs, tradedAt), toMs: Math.max(toMs, endMs) });
  }
  return spans.values();
}
