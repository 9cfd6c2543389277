import type { StoredSegment } from "../../lib/trades/trade-store.ts";

/** Bytes of the names of an item's attributes, which DynamoDB counts as part of the item. */
const NAMES_BYTES = "pk".length + "sk".length + "d".length;

/** Bytes that one read unit pays for, when a query is eventually consistent as most of a listing's are. */
export const READ_UNIT_BYTES = 2 * 4_096;

/** Compaction rewrites a stretch that costs more than this many times what it would cost as an import packs it. */
export const COMPACTION_PAYS_ABOVE = 1.5;

/**
 * Bytes of segments as a query counts them: names and values of their attributes. A query rounds up their sum, and not
 * each of them, so the bytes are the cost.
 */
export const bytesOf = (segments: readonly StoredSegment[]): number =>
  segments.reduce(
    (sum, { partition, sort, payload }) =>
      sum + NAMES_BYTES + partition.length + sort.length + payload.length,
    0,
  );
