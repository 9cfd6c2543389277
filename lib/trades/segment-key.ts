import { bucketOf, type Segment } from "./segment.ts";
import type { EncodedSegment } from "./segment-codec.ts";
import type { Place } from "./trade.ts";

/**
 * Sort key of a segment, 28 bytes: its last trade's instant (u64, big-endian) and id (16 bytes), then 4 bytes of the
 * digest, so that two segments which end with one trade stand beside each other and neither replaces the other.
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

/** The place of a segment's last trade, and how the digest of what it says begins. */
export interface SegmentKeyParts {
  readonly last: Place;
  readonly digestStart: Buffer;
}

/** What a sort key says of its segment; one of another length than ours says it with zeros, and of no digest. */
export function readKey(sort: Buffer): SegmentKeyParts {
  const place = Buffer.alloc(PLACE_BYTES);
  sort.copy(place);
  return {
    last: { tradedAt: Number(place.readBigUInt64BE()), id: place.toString("hex", INSTANT_BYTES) },
    digestStart: sort.subarray(PLACE_BYTES),
  };
}

/** Whether a sort key is as long as all that we write. */
export const isWholeKey = (sort: Buffer): boolean => sort.length === PLACE_BYTES + DIGEST_BYTES;

/** How the partitions of all buckets of a market begin. */
export const partitionsOf = (symbol: string): string => `${symbol}#`;

/** Partition of one bucket of a market. */
export const partitionOf = (symbol: string, bucket: number): string => `${partitionsOf(symbol)}${bucket}`;

const WITHDRAWN = "#withdrawn";

/** Where the withdrawals of a partition stand once what they withdrew is gone. Listings do not read it, writers do. */
export const withdrawnPartitionOf = (partition: string): string => `${partition}${WITHDRAWN}`;

/** Whether a partition is such a one. */
export const isWithdrawnPartition = (partition: string): boolean => partition.endsWith(WITHDRAWN);

/** Where a segment is stored. */
export function segmentKey(
  symbol: string,
  { trades }: Segment,
  { digest }: EncodedSegment,
): { readonly partition: string; readonly sort: Buffer } {
  const last = trades.at(-1) ?? trades[0];
  return { partition: partitionOf(symbol, bucketOf(last.tradedAt)), sort: keyOf(last, digest) };
}

/** Below the key of every segment whose last trade was made at an instant or later. */
export const lowestKeyAt = (instantMs: number): Buffer =>
  keyOf({ tradedAt: Math.max(0, instantMs), id: LOWEST_ID }, Buffer.alloc(DIGEST_BYTES));

/** Above the key of every segment whose last trade stands at a place or before. */
export const highestKeyAt = (place: Place): Buffer => keyOf(place, Buffer.alloc(DIGEST_BYTES, 0xff));

/** The last place that an instant has. */
export const lastPlaceAt = (instantMs: number): Place => ({ tradedAt: instantMs, id: HIGHEST_ID });
