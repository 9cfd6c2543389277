import { packSegment } from "./pack-segment.ts";
import { tradeOf } from "./page-buffer.ts";
import { keyText, readSegment } from "./read-segment.ts";
import { compareRecords, cutSegments } from "./segment.ts";
import { withdrawnPartitionOf } from "./segment-key.ts";
import { placeText, type Trade } from "./trade.ts";
import type { StoredSegment } from "./trade-store.ts";

/** The segments of a stretch. */
export interface StoredStretch {
  /** The segments that listings read. */
  readonly read: readonly StoredSegment[];
  /** The segments of withdrawals that stand apart. */
  readonly apart: readonly StoredSegment[];
}

/** The changes that compact a stretch, after which listings no longer pass over withdrawn trades. */
export interface Compaction {
  /** Segments that are not stored yet, and must be before any is removed: trades that remain, and withdrawals apart. */
  readonly put: readonly StoredSegment[];
  /** Segments of trades, which are removed first. */
  readonly trades: readonly StoredSegment[];
  /** Segments with withdrawals, which are removed last: until then they hide the withdrawn trades. */
  readonly withdrawals: readonly StoredSegment[];
  /** The places of withdrawn trades, in order, each with the revision of its withdrawal. */
  readonly withdrawn: readonly string[];
}

interface StoredRecord {
  readonly trade: Trade;
  readonly revision: number;
}

interface OpenSegment {
  readonly stored: StoredSegment;
  readonly records: readonly StoredRecord[];
}

/**
 * How to compact a stretch of a market. Undefined when no record that listings read is withdrawn; "unpublished" while a
 * record is not published yet, because the record that it corrects counts until then.
 *
 * @param now epoch milliseconds.
 * @throws {DamagedSegment}
 */
export function compactionOf(
  symbol: string,
  { read, apart }: StoredStretch,
  now: number,
): Compaction | "unpublished" | undefined {
  const segments = read.map(open);
  const setApartBefore = apart.map(open).flatMap(recordsOf);
  const records = segments.flatMap(recordsOf);
  const best = bestByPlace([...setApartBefore, ...records]);
  const counting = ({ trade }: StoredRecord) => best.get(placeText(trade));
  const withdrawn = new Set(records.map(counting).filter(isWithdrawal));
  if (withdrawn.size === 0) return undefined;
  if (records.some(({ trade }) => trade.publishedAt > now)) return "unpublished";
  // A corrected record remains beneath its correction: listings that began before the correction was published show it.
  const remains = (record: StoredRecord) => !isWithdrawal(counting(record));
  const replaced = segments.filter((segment) => !segment.records.every(remains));
  const kept = pack(symbol, replaced.flatMap(recordsOf).filter(remains));
  const isStored = isAmong([...read, ...apart]);
  return {
    put: [...kept, ...setApart(symbol, withdrawn, setApartBefore)].filter((segment) => !isStored(segment)),
    ...takenOut(replaced, kept),
    withdrawn: [...withdrawn].map(({ trade, revision }) => `${placeText(trade)} ${revision}`).sort(),
  };
}

/** The segments to remove: those that others replace, except those that are kept as they are. */
function takenOut(
  replaced: readonly OpenSegment[],
  kept: readonly StoredSegment[],
): Pick<Compaction, "trades" | "withdrawals"> {
  const isKept = isAmong(kept);
  const out = replaced.filter(({ stored }) => !isKept(stored));
  const withdraws = ({ records }: OpenSegment) => records.some(isWithdrawal);
  return {
    trades: out.filter((segment) => !withdraws(segment)).map(({ stored }) => stored),
    withdrawals: out.filter(withdraws).map(({ stored }) => stored),
  };
}

const isWithdrawal = (record: StoredRecord | undefined): record is StoredRecord =>
  record?.trade.withdrawn === true;

function open(stored: StoredSegment): OpenSegment {
  const columns = readSegment(stored);
  const records = Array.from({ length: columns.count }, (_, row) => ({
    trade: tradeOf({ columns, row }),
    revision: columns.revision,
  }));
  return { stored, records };
}

const recordsOf = ({ records }: OpenSegment) => records;

/** The record of each place that counts; the first of equal ones. */
function bestByPlace(records: readonly StoredRecord[]): ReadonlyMap<string, StoredRecord> {
  const best = new Map<string, StoredRecord>();
  for (const record of records) {
    const place = placeText(record.trade);
    const other = best.get(place);
    const order = other && (record.revision - other.revision || compareRecords(record.trade, other.trade));
    if (order === undefined || order > 0) best.set(place, record);
  }
  return best;
}

/** The withdrawals that do not stand apart yet, packed for the partition in which they will. */
function setApart(
  symbol: string,
  withdrawn: ReadonlySet<StoredRecord>,
  before: readonly StoredRecord[],
): StoredSegment[] {
  const apart = new Set(before);
  return pack(
    symbol,
    [...withdrawn].filter((record) => !apart.has(record)),
  ).map((segment) => ({ ...segment, partition: withdrawnPartitionOf(segment.partition) }));
}

/** Packs records of one stretch, each revision by itself. */
function pack(symbol: string, records: readonly StoredRecord[]): StoredSegment[] {
  const byRevision = Map.groupBy(records, ({ revision }) => revision);
  return [...byRevision].flatMap(([revision, group]) =>
    cutSegments(
      group.map(({ trade }) => trade),
      revision,
    ).map((segment) => packSegment(symbol, segment)),
  );
}

/** Tells whether a segment has the key of one of these segments. */
function isAmong(segments: readonly StoredSegment[]): (segment: StoredSegment) => boolean {
  const keys = new Set(segments.map(keyText));
  return (segment) => keys.has(keyText(segment));
}
