import { bucketOf, type Segment } from "./segment.ts";
import type { EncodedSegment } from "./segment-codec.ts";
import type { Place } from "./trade.ts";

/**
 * Sort key of a segment, 28 bytes: its last trade's instant (u64, big-endian) and id (16 bytes), then 4 bytes of the
 * digest. With the digest, two segments that end with one trade stand side by side, and neither replaces the other.
 */
const INSTANT_BYTES = 8;
const ID_BYTES = 16;
const DIGEST_BYTES = 4;
const PLACE_BYTES = INSTANT_BYTES + ID_BYTES;

const LOWEST_ID = "0".repeat(2 * ID_BYTES);
const HIGHEST_ID = "f".repeat(2 * ID_BYTES);

const keyOf = ({ tradedAt, id }: Place, digest: Uint8Array): Buffer => {
  const instant = Buffer.alloc(INSTANT_BYTES);
  instant.writeBigUInt64BE(BigInt(tradedAt));
  return Buffer.concat([instant, Buffer.from(id, "hex"), digest.subarray(0, DIGEST_BYTES)]);
};

/** The place of a segment's last trade, and the beginning of its digest. */
export interface SegmentKeyParts {
  readonly last: Place;
  readonly digestStart: Buffer;
}

/** Reads a sort key. A key that is too short counts as if it ended in zeros, and may have no digest. */
export function readKey(sort: Buffer): SegmentKeyParts {
  const place = Buffer.alloc(PLACE_BYTES);
  sort.copy(place);
  return {
    last: { tradedAt: Number(place.readBigUInt64BE()), id: place.toString("hex", INSTANT_BYTES) },
    digestStart: sort.subarray(PLACE_BYTES),
  };
}

/** Whether a sort key has the length of every key that we write. */
export const isWholeKey = (sort: Buffer): boolean => sort.length === PLACE_BYTES + DIGEST_BYTES;

/** The beginning of the names of all partitions of a market. */
export const partitionsOf = (symbol: string): string => `${symbol}#`;

/** Partition of one bucket of a market. */
export const partitionOf = (symbol: string, bucket: number): string => `${partitionsOf(symbol)}${bucket}`;

const WITHDRAWN = "#withdrawn";

/** The partition of withdrawals whose trades were removed from this partition. Writers read it, listings do not. */
export const withdrawnPartitionOf = (partition: string): string => `${partition}${WITHDRAWN}`;

/** Whether a partition holds the withdrawals of another one. */
export const isWithdrawnPartition = (partition: string): boolean => partition.endsWith(WITHDRAWN);

/** The key under which a segment is stored. */
export function segmentKey(
  symbol: string,
  { trades }: Segment,
  { digest }: EncodedSegment,
): { readonly partition: string; readonly sort: Buffer } {
  const last = trades.at(-1) ?? trades[0];
  return { partition: partitionOf(symbol, bucketOf(last.tradedAt)), sort: keyOf(last, digest) };
}

/** A key below that of every segment whose last trade was made at this instant or later. */
export const lowestKeyAt = (instantMs: number): Buffer =>
  keyOf({ tradedAt: Math.max(0, instantMs), id: LOWEST_ID }, Buffer.alloc(DIGEST_BYTES));

/** A key above that of every segment whose last trade stands at this place or before it. */
export const highestKeyAt = (place: Place): Buffer => keyOf(place, Buffer.alloc(DIGEST_BYTES, 0xff));

/** The last possible place of an instant. */
export const lastPlaceAt = (instantMs: number): Place => ({ tradedAt: instantMs, id: HIGHEST_ID });
