import { DamagedSegment, readSegment } from "../../lib/trades/read-segment.ts";
import { stretchOf } from "../../lib/trades/segment.ts";
import { isWithdrawnAt } from "../../lib/trades/segment-columns.ts";
import { isWithdrawnPartition, readKey } from "../../lib/trades/segment-key.ts";
import { isInstant, type Place, placeText } from "../../lib/trades/trade.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import { minuteOf } from "./compact.ts";
import { compactionOf } from "./compaction.ts";
import {
  bytesOf,
  COMPACTION_PAYS_ABOVE,
  openSegment,
  READ_UNIT_BYTES,
  recordsOf,
} from "./replace-segments.ts";

const DAY_MS = 86_400_000;
/** The trades of the page that costs are told for. */
const PAGE_TRADES = 1_000;

/** The cost of reading some trades. */
export interface ReadCost {
  readonly trades: number;
  /** Read units of 1,000 trades, as they are stored now. */
  readonly now: number;
  /** The same after a compaction. */
  readonly compacted: number;
  /** How many times as much they cost now. */
  readonly ratio: number;
}

/** What a market's segments are like. */
export interface Survey {
  readonly segmentCount: number;
  readonly damaged: readonly StoredSegment[];
  readonly cost: ReadCost;
  /** The same of each day, by its first instant (epoch ms, UTC). */
  readonly days: ReadonlyMap<number, ReadCost>;
  /** The minutes with a stretch that a compaction may change; see {@link minuteOf}. */
  readonly minutes: ReadonlySet<number>;
}

/** Whether a compaction pays where reading costs this much. */
export const isWorthCompacting = ({ ratio }: ReadCost): boolean => ratio > COMPACTION_PAYS_ABOVE;

/**
 * Looks at segments of a market.
 *
 * @param segments those of one stretch follow each other, as a scan and a query of the table return them.
 * @param now epoch milliseconds.
 */
export async function survey(
  symbol: string,
  segments: AsyncIterable<StoredSegment>,
  now: number,
): Promise<Survey> {
  const damaged: StoredSegment[] = [];
  const minutes = new Set<number>();
  const sums = new Map<number, Sum>();
  let segmentCount = 0;
  let stretch: StoredSegment[] = [];
  const endStretch = (): void => {
    const read = stretch;
    stretch = [];
    const tradedAt = read[0] && lastPlaceIn(read[0])?.tradedAt;
    if (tradedAt === undefined) return;
    const { trades, bytesCompacted, isDue } = judge(symbol, read, now);
    if (isDue) minutes.add(minuteOf(tradedAt));
    const day = Math.floor(tradedAt / DAY_MS) * DAY_MS;
    sums.set(day, added(sums.get(day), { trades, bytes: bytesOf(read), bytesCompacted }));
  };
  for await (const segment of segments) {
    segmentCount += 1;
    if (isDamaged(segment)) damaged.push(segment);
    const last = lastPlaceIn(segment);
    if (last === undefined) continue;
    if (isWithdrawnPartition(segment.partition)) {
      minutes.add(minuteOf(last.tradedAt));
      continue;
    }
    if (stretch[0] !== undefined && !isOneStretch(stretch[0], segment)) endStretch();
    stretch.push(segment);
  }
  endStretch();
  const days = new Map([...sums].map(([day, sum]) => [day, costOf(sum)]));
  return { segmentCount, damaged, cost: costOf([...sums.values()].reduce(added, NOTHING)), days, minutes };
}

interface Sum {
  readonly trades: number;
  readonly bytes: number;
  readonly bytesCompacted: number;
}

const NOTHING: Sum = { trades: 0, bytes: 0, bytesCompacted: 0 };

const added = (one: Sum = NOTHING, other: Sum): Sum => ({
  trades: one.trades + other.trades,
  bytes: one.bytes + other.bytes,
  bytesCompacted: one.bytesCompacted + other.bytesCompacted,
});

function costOf({ trades, bytes, bytesCompacted }: Sum): ReadCost {
  const unitsOf = (all: number): number =>
    trades === 0 ? 0 : (all / READ_UNIT_BYTES / trades) * PAGE_TRADES;
  return {
    trades,
    now: unitsOf(bytes),
    compacted: unitsOf(bytesCompacted),
    ratio: bytesCompacted === 0 ? 1 : bytes / bytesCompacted,
  };
}

/** The place of a segment's last trade, which its key names; undefined when the key names no instant. */
export function lastPlaceIn({ sort }: Pick<StoredSegment, "sort">): Place | undefined {
  const { last } = readKey(sort);
  return isInstant(last.tradedAt) ? last : undefined;
}

const isOneStretch = (a: StoredSegment, b: StoredSegment): boolean =>
  a.partition === b.partition && stretchOf(readKey(a.sort).last) === stretchOf(readKey(b.sort).last);

/** The trades of a stretch, its bytes after a compaction, and whether a compaction should look at it. */
function judge(symbol: string, read: readonly StoredSegment[], now: number) {
  try {
    const trades = tradesIn(read);
    // One segment without a withdrawal is as one import packs it.
    if (read.length === 1 && !read.some(withdraws))
      return { trades, bytesCompacted: bytesOf(read), isDue: false };
    const compaction = compactionOf(symbol, { read, apart: [] }, now);
    if (typeof compaction !== "object")
      return { trades, bytesCompacted: bytesOf(read), isDue: compaction !== undefined };
    const put = compaction.put.filter(({ partition }) => !isWithdrawnPartition(partition));
    const out = [...compaction.trades, ...compaction.withdrawals];
    return { trades, bytesCompacted: bytesOf(read) + bytesOf(put) - bytesOf(out), isDue: true };
  } catch (error) {
    if (error instanceof DamagedSegment) return { trades: 0, bytesCompacted: bytesOf(read), isDue: true };
    throw error;
  }
}

/** The places of trades in segments, each counted once. */
function tradesIn(segments: readonly StoredSegment[]): number {
  const [only, ...others] = segments;
  if (only !== undefined && others.length === 0) return readSegment(only).count;
  const records = segments.map(openSegment).flatMap(recordsOf);
  return new Set(records.map(({ trade }) => placeText(trade))).size;
}

function withdraws(segment: StoredSegment): boolean {
  const columns = readSegment(segment);
  return Array.from({ length: columns.count }, (_, row) => row).some((row) => isWithdrawnAt(columns, row));
}

function isDamaged(segment: StoredSegment): boolean {
  try {
    readSegment(segment);
    return false;
  } catch (error) {
    if (error instanceof DamagedSegment) return true;
    throw error;
  }
}
