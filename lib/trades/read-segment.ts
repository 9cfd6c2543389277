import { SEGMENT_SPAN_MS, stretchOf } from "./segment.ts";
import { decodeSegment } from "./segment-codec.ts";
import { placeAt, type SegmentColumns } from "./segment-columns.ts";
import { isWholeKey, readKey } from "./segment-key.ts";
import { comparePlaces } from "./trade.ts";
import type { StoredSegment } from "./trade-store.ts";

/** A stored segment cannot be read, or is not what was written under its key. Its trades are not known any more. */
export class DamagedSegment extends Error {
  override readonly name = "DamagedSegment";
  readonly segment: StoredSegment;

  constructor(segment: StoredSegment, cause: unknown) {
    super("A stored segment of trades is damaged.", { cause });
    this.segment = segment;
  }
}

/** The key of a stored segment as operators read and type it: its partition, and its sort key in hex. */
export const keyText = ({ partition, sort }: Pick<StoredSegment, "partition" | "sort">): string =>
  `${partition}/${sort.toString("hex")}`;

/**
 * Unpacks a stored segment, which has to be what its key says: the compressed form alone would let a changed byte pass
 * for another price.
 *
 * @throws {DamagedSegment}
 */
export function readSegment(segment: StoredSegment): SegmentColumns {
  try {
    if (!isWholeKey(segment.sort)) throw new RangeError("Its key is not one of ours.");
    const { last, digestStart } = readKey(segment.sort);
    const columns = decodeSegment(segment.payload, digestStart);
    if (comparePlaces(placeAt(columns, columns.count - 1), last) === 0) return columns;
    throw new RangeError("It ends with another trade than its key.");
  } catch (cause) {
    throw new DamagedSegment(segment, cause);
  }
}

/** Segments down to the first damaged one that stands in the way. */
export interface ReadSegments {
  readonly segments: readonly SegmentColumns[];
  readonly damaged: DamagedSegment | undefined;
}

/**
 * Unpacks the segments of a page of the store. A damaged one is in the way of whoever asks for trades of its stretch of
 * time: by its key, none of its trades was made before that began.
 *
 * @param upToMs trades that were made later are not asked for.
 */
export function readSegments(stored: readonly StoredSegment[], upToMs: number): ReadSegments {
  const segments: SegmentColumns[] = [];
  for (const segment of stored) {
    try {
      segments.push(readSegment(segment));
    } catch (error) {
      const mayBeAskedFor = stretchOf(readKey(segment.sort).last) * SEGMENT_SPAN_MS <= upToMs;
      if (mayBeAskedFor && error instanceof DamagedSegment) return { segments, damaged: error };
    }
  }
  return { segments, damaged: undefined };
}
