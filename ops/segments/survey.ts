import { DamagedSegment, readSegment } from "../../lib/trades/read-segment.ts";
import { stretchOf } from "../../lib/trades/segment.ts";
import { isWithdrawnAt } from "../../lib/trades/segment-columns.ts";
import { isWithdrawnPartition } from "../../lib/trades/segment-key.ts";
import { placeText } from "../../lib/trades/trade.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import { compactionOf } from "./compaction.ts";
import { minuteOf } from "./compaction-step.ts";
import { bytesOf, COMPACTION_PAYS_ABOVE, READ_UNIT_BYTES } from "./read-cost.ts";
import { openSegment, recordsOf } from "./replace-segments.ts";
import { lastPlaceIn } from "./segment-by-key.ts";

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
  const surveyor = new Surveyor(symbol, now);
  for await (const segment of segments) surveyor.add(segment);
  return surveyor.end();
}

interface Sum {
  trades: number;
  bytes: number;
  bytesCompacted: number;
}

class Surveyor {
  readonly #symbol: string;
  readonly #now: number;
  readonly #damaged: StoredSegment[] = [];
  readonly #days = new Map<number, Sum>();
  readonly #minutes = new Set<number>();
  #segmentCount = 0;
  /** The segments of one stretch. */
  #stretch: StoredSegment[] = [];

  constructor(symbol: string, now: number) {
    this.#symbol = symbol;
    this.#now = now;
  }

  add(segment: StoredSegment): void {
    this.#segmentCount += 1;
    if (isDamaged(segment)) this.#damaged.push(segment);
    const last = lastPlaceIn(segment);
    if (last === undefined) return;
    if (isWithdrawnPartition(segment.partition)) this.#minutes.add(minuteOf(last.tradedAt));
    else this.#addRead(segment);
  }

  #addRead(segment: StoredSegment): void {
    const [first] = this.#stretch;
    if (first !== undefined && !isOneStretch(first, segment)) this.#endStretch();
    this.#stretch.push(segment);
  }

  #endStretch(): void {
    const read = this.#stretch;
    this.#stretch = [];
    const tradedAt = read[0] && lastPlaceIn(read[0])?.tradedAt;
    if (tradedAt === undefined) return;
    const { trades, bytesCompacted, isDue } = judge(this.#symbol, read, this.#now);
    if (isDue) this.#minutes.add(minuteOf(tradedAt));
    const day = Math.floor(tradedAt / DAY_MS) * DAY_MS;
    const sum = this.#days.get(day) ?? { trades: 0, bytes: 0, bytesCompacted: 0 };
    this.#days.set(day, sum);
    sum.trades += trades;
    sum.bytes += bytesOf(read);
    sum.bytesCompacted += bytesCompacted;
  }

  end(): Survey {
    this.#endStretch();
    const sums = [...this.#days.values()];
    const total = (of: (one: Sum) => number) => sums.reduce((sum, one) => sum + of(one), 0);
    const all = {
      trades: total(({ trades }) => trades),
      bytes: total(({ bytes }) => bytes),
      bytesCompacted: total(({ bytesCompacted }) => bytesCompacted),
    };
    return {
      segmentCount: this.#segmentCount,
      damaged: this.#damaged,
      cost: costOf(all),
      days: new Map([...this.#days].map(([day, sum]) => [day, costOf(sum)])),
      minutes: this.#minutes,
    };
  }
}

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

const isOneStretch = (a: StoredSegment, b: StoredSegment): boolean =>
  a.partition === b.partition && stretchIn(a) === stretchIn(b);

const stretchIn = (segment: StoredSegment): number | undefined => {
  const last = lastPlaceIn(segment);
  return last && stretchOf(last);
};

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
