import { packSegment } from "./pack-segment.ts";
import { tradeOf } from "./page-buffer.ts";
import { keyText, readSegment } from "./read-segment.ts";
import { compareRecords, cutSegments } from "./segment.ts";
import { withdrawnPartitionOf } from "./segment-key.ts";
import { placeText, type Trade } from "./trade.ts";
import type { StoredSegment } from "./trade-store.ts";

/** A stretch's segments. */
export interface StoredStretch {
  /** Those that listings read. */
  readonly read: readonly StoredSegment[];
  /** The withdrawals that stand apart from them. */
  readonly apart: readonly StoredSegment[];
}

/** What compacting a stretch stores and takes out, so that listings do not pass over what was withdrawn any more. */
export interface Compaction {
  /** What is not there yet and has to be before anything is taken out: trades that remain, and withdrawals apart. */
  readonly put: readonly StoredSegment[];
  /** Segments of trades, which are taken out first. */
  readonly trades: readonly StoredSegment[];
  /** Segments with withdrawals, which are taken out last: until then they hide those trades. */
  readonly withdrawals: readonly StoredSegment[];
  /** The places whose trades are withdrawn, in order, each with the revision that withdraws it. */
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
 * How a stretch of a market is compacted. Undefined where nothing that listings read is withdrawn; "unpublished" where a
 * record is not published yet: until it is, what it corrects counts.
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
  // What is corrected remains beneath its correction, which listings that began before its publication do not see.
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

/** Segments that others replace are taken out, but for those that are kept as they are. */
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

/** Of each place the record that counts; of equal ones the first. */
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

/** Packs records of one stretch, those of each revision together. */
function pack(symbol: string, records: readonly StoredRecord[]): StoredSegment[] {
  const byRevision = Map.groupBy(records, ({ revision }) => revision);
  return [...byRevision].flatMap(([revision, group]) =>
    cutSegments(
      group.map(({ trade }) => trade),
      revision,
    ).map((segment) => packSegment(symbol, segment)),
  );
}

/** Whether a segment stands under the key of one of these. */
function isAmong(segments: readonly StoredSegment[]): (segment: StoredSegment) => boolean {
  const keys = new Set(segments.map(keyText));
  return (segment) => keys.has(keyText(segment));
}
