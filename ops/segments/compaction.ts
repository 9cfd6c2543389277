import { compareRecords } from "../../lib/trades/segment.ts";
import { withdrawnPartitionOf } from "../../lib/trades/segment-key.ts";
import { placeText } from "../../lib/trades/trade.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import {
  chooseReplacement,
  isAmong,
  type OpenSegment,
  openSegment,
  packRecords,
  type Replacement,
  recordsOf,
  type StoredRecord,
} from "./replace-segments.ts";

/** The segments of a stretch. */
export interface StoredStretch {
  /** The segments that listings read. */
  readonly read: readonly StoredSegment[];
  /** The segments of withdrawals that stand apart. */
  readonly apart: readonly StoredSegment[];
}

/** The changes that compact a stretch. Afterwards listings read no withdrawn trade there, and hardly one twice. */
export interface Compaction {
  /** Segments that are not stored yet, and must be before any is removed: trades that remain, and withdrawals apart. */
  readonly put: readonly StoredSegment[];
  /** Segments of trades, which are removed first: each of their records is stored elsewhere, or withdrawn. */
  readonly trades: readonly StoredSegment[];
  /** Segments with withdrawals, which are removed last: until then they hide the withdrawn trades. */
  readonly withdrawals: readonly StoredSegment[];
  /** Trades that are withdrawn, and that listings no longer meet afterwards. */
  readonly withdrawnCount: number;
}

/**
 * How to compact a stretch of a market. Undefined when no record that listings read is withdrawn, and writing the
 * stretch as one import packs it would not pay; "unpublished" while a record is not published yet, because the record
 * that it corrects counts until then.
 *
 * @param now epoch milliseconds.
 * @throws {DamagedSegment}
 */
export function compactionOf(
  symbol: string,
  { read, apart }: StoredStretch,
  now: number,
): Compaction | "unpublished" | undefined {
  const segments = read.map(openSegment);
  const setApartBefore = apart.map(openSegment).flatMap(recordsOf);
  const records = segments.flatMap(recordsOf);
  const best = bestByPlace([...setApartBefore, ...records]);
  const counting = ({ trade }: StoredRecord) => best.get(placeText(trade));
  const withdrawn = new Set(records.map(counting).filter(isWithdrawal));
  // A corrected record remains beneath its correction: listings that began before the correction was published show it.
  const replacement = chooseReplacement(symbol, segments, (record) => !isWithdrawal(counting(record)));
  if (replacement.replaced.length === 0) return undefined;
  if (records.some(({ trade }) => trade.publishedAt > now)) return "unpublished";
  const isStored = isAmong([...read, ...apart]);
  const put = [...replacement.by, ...setApart(symbol, withdrawn, setApartBefore)];
  return {
    put: put.filter((segment) => !isStored(segment)),
    ...takenOut(replacement),
    withdrawnCount: withdrawn.size,
  };
}

/** The segments to remove: those that others replace, except those that are kept as they are. */
function takenOut({ replaced, by }: Replacement): Pick<Compaction, "trades" | "withdrawals"> {
  const isKept = isAmong(by);
  const out = replaced.filter(({ stored }) => !isKept(stored));
  const withdraws = ({ records }: OpenSegment) => records.some(isWithdrawal);
  return {
    trades: out.filter((segment) => !withdraws(segment)).map(({ stored }) => stored),
    withdrawals: out.filter(withdraws).map(({ stored }) => stored),
  };
}

const isWithdrawal = (record: StoredRecord | undefined): record is StoredRecord =>
  record?.trade.withdrawn === true;

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
  return packRecords(
    symbol,
    [...withdrawn].filter((record) => !apart.has(record)),
  ).map((segment) => ({ ...segment, partition: withdrawnPartitionOf(segment.partition) }));
}
