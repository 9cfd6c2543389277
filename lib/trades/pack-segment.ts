import { LoggableError } from "../errors.ts";
import { tradeOf } from "./page-buffer.ts";
import { readSegment } from "./read-segment.ts";
import type { Segment } from "./segment.ts";
import { encodeSegment } from "./segment-codec.ts";
import type { SegmentColumns } from "./segment-columns.ts";
import { segmentKey } from "./segment-key.ts";
import type { Trade } from "./trade.ts";
import type { StoredSegment } from "./trade-store.ts";

/** A packed segment would not read as it was written. Nothing of its batch was stored. */
export class UnreadableSegment extends LoggableError {
  override readonly name = "UnreadableSegment";
  readonly segment: Segment;

  constructor(segment: Segment, cause?: unknown) {
    super("A segment of trades does not read as it was written.", { cause });
    this.segment = segment;
  }
}

/**
 * Packs a segment and reads it again: a segment that readers refuse would hide its stretch of the market.
 *
 * @throws {UnreadableSegment}
 *
 * @example
 * const id = "0123456789abcdef0123456789abcdef";
 * const trade = { tradedAt: 1_000, publishedAt: 1_000, price: "65000.10", quantity: "0.5", id };
 * const [segment] = cutSegments([trade], FIRST_REVISION);
 * const stored = packSegment("BTC-USD", segment);
 * stored.partition // → "BTC-USD#0"
 * readSegment(stored).ids // → id
 */
export function packSegment(symbol: string, segment: Segment): StoredSegment {
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
    throw new RangeError("The revision or the number of trades differs.");
  for (const [row, trade] of trades.entries()) {
    if (!isSameRecord(tradeOf({ columns, row }), trade)) throw new RangeError("A trade differs.");
  }
}

const MEMBERS = ["tradedAt", "id", "publishedAt", "price", "quantity", "side"] as const;

const isSameRecord = (a: Trade, b: Trade): boolean =>
  MEMBERS.every((member) => a[member] === b[member]) && (a.withdrawn === true) === (b.withdrawn === true);
