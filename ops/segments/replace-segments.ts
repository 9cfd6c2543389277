import { packSegment } from "../../lib/trades/pack-segment.ts";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import { keyText, readSegment } from "../../lib/trades/read-segment.ts";
import { cutSegments } from "../../lib/trades/segment.ts";
import type { Trade } from "../../lib/trades/trade.ts";
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

/** One record of a trade, with the revision of the segment that holds it. */
export interface StoredRecord {
  readonly trade: Trade;
  readonly revision: number;
}

/** A segment with its records. */
export interface OpenSegment {
  readonly stored: StoredSegment;
  readonly records: readonly StoredRecord[];
}

/** Unpacks a segment into its records. @throws {DamagedSegment} */
export function openSegment(stored: StoredSegment): OpenSegment {
  const columns = readSegment(stored);
  const records = Array.from({ length: columns.count }, (_, row) => ({
    trade: tradeOf({ columns, row }),
    revision: columns.revision,
  }));
  return { stored, records };
}

export const recordsOf = ({ records }: OpenSegment): readonly StoredRecord[] => records;

/** Packs records of one stretch as one import of all of them would, each revision by itself. */
export function packRecords(symbol: string, records: readonly StoredRecord[]): StoredSegment[] {
  const byRevision = Map.groupBy(records, ({ revision }) => revision);
  return [...byRevision].flatMap(([revision, group]) =>
    cutSegments(
      group.map(({ trade }) => trade),
      revision,
    ).map((segment) => packSegment(symbol, segment)),
  );
}

/** Tells whether a segment has the key of one of these segments. */
export function isAmong(segments: readonly StoredSegment[]): (segment: StoredSegment) => boolean {
  const keys = new Set(segments.map(keyText));
  return (segment) => keys.has(keyText(segment));
}

/** Segments to remove, and the new segments with the records to keep. */
export interface Replacement {
  readonly replaced: readonly OpenSegment[];
  readonly by: readonly StoredSegment[];
}

/**
 * Chooses which segments of a stretch to replace. Those with a record that does not remain must be. All are where that
 * pays: where the stretch would cost more than {@link COMPACTION_PAYS_ABOVE} times what it costs as one import packs
 * it, or where that form is stored already.
 */
export function chooseReplacement(
  symbol: string,
  segments: readonly OpenSegment[],
  remains: (record: StoredRecord) => boolean,
): Replacement {
  const replace = (replaced: readonly OpenSegment[]): Replacement => ({
    replaced,
    by: packRecords(symbol, replaced.flatMap(recordsOf).filter(remains)),
  });
  const least = replace(segments.filter(({ records }) => !records.every(remains)));
  if (segments.length === 1) return least;
  const whole = replace(segments);
  const mustChange = least.replaced.length > 0;
  const isStored = isAmong(segments.map(({ stored }) => stored));
  const pays = bytesAfter(segments, least) > COMPACTION_PAYS_ABOVE * bytesOf(whole.by);
  return pays || (mustChange && whole.by.every(isStored)) ? whole : least;
}

/** Bytes of a stretch once some of its segments are replaced. */
function bytesAfter(segments: readonly OpenSegment[], { replaced, by }: Replacement): number {
  const isNew = isAmong(by);
  const gone = new Set(replaced);
  const others = segments.filter((segment) => !gone.has(segment) && !isNew(segment.stored));
  return bytesOf([...others.map(({ stored }) => stored), ...by]);
}
