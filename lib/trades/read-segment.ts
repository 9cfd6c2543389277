import { LoggableError } from "../errors.ts";
import { SEGMENT_SPAN_MS, stretchOf } from "./segment.ts";
import { decodeSegment } from "./segment-codec.ts";
import { placeAt, type SegmentColumns } from "./segment-columns.ts";
import { isWholeKey, readKey } from "./segment-key.ts";
import { comparePlaces } from "./trade.ts";
import type { StoredSegment } from "./trade-store.ts";

/** A stored segment cannot be read, or is not the one that was written under its key. Its trades are unknown now. */
export class DamagedSegment extends LoggableError {
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
 * Unpacks a stored segment and checks it against its key: otherwise a changed byte could pass as another price.
 *
 * @throws {DamagedSegment}
 */
export function readSegment(segment: StoredSegment): SegmentColumns {
  try {
    if (!isWholeKey(segment.sort)) throw new RangeError("The key has another length than ours.");
    const { last, digestStart } = readKey(segment.sort);
    const columns = decodeSegment(segment.payload, digestStart);
    if (comparePlaces(placeAt(columns, columns.count - 1), last) === 0) return columns;
    throw new RangeError("The last trade is not that of the key.");
  } catch (cause) {
    throw new DamagedSegment(segment, cause);
  }
}

/** The stretch of time of a segment, by its key: it holds no trade of another one. */
export const stretchOfSegment = ({ sort }: Pick<StoredSegment, "sort">): number =>
  stretchOf(readKey(sort).last);

/** Segments down to the first damaged one that is in the way. */
export interface ReadSegments {
  readonly segments: readonly SegmentColumns[];
  readonly damaged: DamagedSegment | undefined;
}

/**
 * Unpacks the segments of a page of the store. A damaged segment is in the way when trades of its stretch of time are
 * requested: by its key, it holds no trade from before the stretch began.
 *
 * @param upToMs trades that were made later are not requested.
 */
export function readSegments(stored: readonly StoredSegment[], upToMs: number): ReadSegments {
  const segments: SegmentColumns[] = [];
  for (const segment of stored) {
    try {
      segments.push(readSegment(segment));
    } catch (error) {
      const mayBeAskedFor = stretchOfSegment(segment) * SEGMENT_SPAN_MS <= upToMs;
      if (mayBeAskedFor && error instanceof DamagedSegment) return { segments, damaged: error };
    }
  }
  return { segments, damaged: undefined };
}
