import { tradeOf } from "./page-buffer.ts";
import { readSegment } from "./read-segment.ts";
import { cutSegments, FIRST_REVISION, type Segment } from "./segment.ts";
import { encodeSegment } from "./segment-codec.ts";
import type { SegmentColumns } from "./segment-columns.ts";
import { segmentKey } from "./segment-key.ts";
import type { Place, Trade } from "./trade.ts";
import type { StoredSegment } from "./trade-store.ts";

/** Takes segments into the store, whatever is there. */
export interface SegmentSink {
  put(segments: readonly StoredSegment[]): Promise<void>;
}

/** What was packed would not come out as it went in: nothing of the batch was stored. */
export class UnreadableSegment extends Error {
  override readonly name = "UnreadableSegment";
  readonly segment: Segment;

  constructor(segment: Segment, cause?: unknown) {
    super("A segment of trades does not read as it was written.", { cause });
    this.segment = segment;
  }
}

/** Packs a segment, and reads it again: one that readers refuse would take its stretch of the market from them. */
function pack(symbol: string, segment: Segment): StoredSegment {
  try {
    const encoded = encodeSegment(segment);
    const stored = { ...segmentKey(symbol, segment, encoded), payload: encoded.payload };
    requireEqual(readSegment(stored), segment);
    return stored;
  } catch (cause) {
    throw new UnreadableSegment(segment, cause);
  }
}

function requireEqual(columns: SegmentColumns, { revision, trades }: Segment): void {
  if (columns.revision !== revision || columns.count !== trades.length)
    throw new RangeError("It is another segment.");
  for (const [row, trade] of trades.entries()) {
    if (recordText(tradeOf({ columns, row })) !== recordText(trade))
      throw new RangeError("It has another trade.");
  }
}

const recordText = (trade: Trade): string =>
  JSON.stringify([
    trade.tradedAt,
    trade.id,
    trade.publishedAt,
    trade.price,
    trade.quantity,
    trade.side ?? "",
    trade.withdrawn === true,
  ]);

/**
 * Stores trades of a market that keep their rules (`tradeFault`), in any order. Nobody has to be alone and nothing has
 * to be new: late trades, and trades that were stored before in the same or in other batches, leave readers with each
 * trade once.
 *
 * @param revision 0 for trades as they were first reported. A higher one corrects: of a trade's records, the one with
 * the highest revision is the one that readers see.
 * @returns the number of segments that were written.
 * @throws {UnreadableSegment} when readers would not see a segment as it is; then none was written.
 */
export async function writeTrades(
  sink: SegmentSink,
  symbol: string,
  trades: readonly Trade[],
  revision = FIRST_REVISION,
): Promise<number> {
  const segments = cutSegments(trades, revision);
  await sink.put(segments.map((segment) => pack(symbol, segment)));
  return segments.length;
}

/**
 * Takes trades back that should not have been: readers see nothing in their places, unless a still higher revision
 * reports them again. Their first records stay stored.
 *
 * @param revision 1 or more, and higher than that of any record of these trades.
 */
export async function withdrawTrades(
  sink: SegmentSink,
  symbol: string,
  places: readonly Place[],
  revision: number,
): Promise<number> {
  if (!Number.isSafeInteger(revision) || revision <= FIRST_REVISION) {
    throw new RangeError("A withdrawal has a revision of 1 or more.");
  }
  const withdrawn = places.map(({ tradedAt, id }) => ({
    tradedAt,
    id,
    publishedAt: tradedAt,
    price: "0",
    quantity: "0",
    withdrawn: true,
  }));
  return await writeTrades(sink, symbol, withdrawn, revision);
}
