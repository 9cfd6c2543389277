import { readSegments } from "./read-segment.ts";
import { BUCKET_MS, bucketOf } from "./segment.ts";
import type { SegmentColumns } from "./segment-columns.ts";
import { highestKeyAt, lastPlaceAt, lowestKeyAt, partitionOf, readKey } from "./segment-key.ts";
import type { Place } from "./trade.ts";
import type { SegmentPage, SegmentQuestion } from "./trade-store.ts";

/** The segments of a market to read. */
export interface SegmentRange {
  readonly symbol: string;
  /** No segment whose last trade was made earlier; epoch milliseconds. */
  readonly startMs: number;
  /** No segment whose last trade is newer than this place. */
  readonly newest: Place;
  /** Trades that were made later are not requested; epoch milliseconds. */
  readonly upToMs: number;
  /** Trades that were made since then may have been stored a moment ago; epoch milliseconds. */
  readonly recentSinceMs: number;
}

/** One answer of the store. */
export interface Reading {
  readonly segments: readonly SegmentColumns[];
  /** No trade newer than this place follows; undefined when nothing is left to read. */
  readonly floor: Place | undefined;
  /** Read units of the answer, as the store counts them. */
  readonly units: number;
}

/**
 * Reads segments from the newest to the oldest, one query at a time, strongly consistently while they may be recent.
 *
 * @param ask answers a question for segments with one query.
 * @param guess how many segments to ask for in the next query.
 * @throws {DamagedSegment} after everything above it, when a damaged segment may hold a requested trade.
 */
export async function* readDown(
  ask: (question: SegmentQuestion) => Promise<SegmentPage>,
  { symbol, startMs, newest, upToMs, recentSinceMs }: SegmentRange,
  guess: () => number,
): AsyncGenerator<Reading> {
  const bounds = { from: lowestKeyAt(startMs), to: highestKeyAt(newest) };
  const lowestBucket = bucketOf(Math.max(0, startMs));
  let isConsistent = upToMs >= recentSinceMs;
  for (let bucket = bucketOf(Math.min(newest.tradedAt, upToMs)); bucket >= lowestBucket; bucket -= 1) {
    const partition = partitionOf(symbol, bucket);
    const beneath = bucket === lowestBucket ? undefined : lastPlaceAt(bucket * BUCKET_MS - 1);
    let after: Buffer | undefined;
    do {
      const page = await ask({ partition, ...bounds, after, segmentsMax: guess(), isConsistent });
      after = page.after;
      const { segments, damaged } = readSegments(page.segments, upToMs);
      const reachedKey = damaged?.segment.sort ?? after;
      const floor = reachedKey === undefined ? beneath : readKey(reachedKey).last;
      isConsistent &&= floor !== undefined && floor.tradedAt >= recentSinceMs;
      yield { segments, floor, units: page.units };
      if (damaged !== undefined) throw damaged;
    } while (after !== undefined);
  }
}
