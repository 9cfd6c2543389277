import { retryStore } from "../../lib/dynamo/retry-store.ts";
import { DamagedSegment, readSegment } from "../../lib/trades/read-segment.ts";
import { BUCKET_MS } from "../../lib/trades/segment.ts";
import {
  highestKeyAt,
  isWithdrawnPartition,
  lastPlaceAt,
  lowestKeyAt,
  readKey,
} from "../../lib/trades/segment-key.ts";
import { type SegmentPage, TradeStore } from "../../lib/trades/trade-store.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { instantText } from "../terminal/write-table.ts";
import { listPartitions, type Watch } from "./read-pages.ts";
import type { Tenant } from "./tenant.ts";
import { TradeCount } from "./trade-count.ts";

const PARTITIONS_AT_ONCE = 4;
const PAGE_SEGMENTS_MAX = 1_000;

/** The trades of a stretch of 32 days of one market. */
interface Stretch {
  readonly symbol: string;
  readonly records: number;
  readonly newest: number | undefined;
  readonly damaged: number;
}

interface TradeCounting {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The most segments that one read asks for. */
  readonly pageSegmentsMax?: number;
}

/**
 * Counts the trades of each market that readers see now, with the instant of the newest. A market that is not listed counts
 * as well.
 */
export async function countTrades(
  { table }: Pick<OperatorStore, "table">,
  watch: Watch,
  counting: TradeCounting,
): Promise<readonly Tenant[]> {
  const partitions = (await listPartitions(table("Trades"), watch)).filter(
    (name) => !isWithdrawnPartition(name),
  );
  const store = new TradeStore(table("Trades"));
  const stretches: Stretch[] = [];
  const work = async () => {
    for (let name = partitions.pop(); name !== undefined; name = partitions.pop())
      stretches.push(await countStretch(store, name, watch, counting));
  };
  await Promise.all(Array.from({ length: PARTITIONS_AT_ONCE }, work));
  return [...Map.groupBy(stretches, ({ symbol }) => symbol)].map(([symbol, own]) => marketOf(symbol, own));
}

function marketOf(symbol: string, stretches: readonly Stretch[]): Tenant {
  const newest = Math.max(...stretches.map((one) => one.newest ?? Number.NEGATIVE_INFINITY));
  const damaged = stretches.reduce((sum, one) => sum + one.damaged, 0);
  return {
    kind: "market",
    owner: symbol,
    records: stretches.reduce((sum, { records }) => sum + records, 0),
    newest: Number.isFinite(newest) ? instantText(newest) : undefined,
    ...(damaged > 0 && { damagedSegments: damaged }),
  };
}

async function countStretch(
  store: TradeStore,
  partition: string,
  watch: Watch,
  { now, pageSegmentsMax: segmentsMax = PAGE_SEGMENTS_MAX }: TradeCounting,
): Promise<Stretch> {
  const [symbol = "", bucket = "0"] = partition.split("#");
  const fromMs = Number(bucket) * BUCKET_MS;
  const bounds = {
    partition,
    from: lowestKeyAt(fromMs),
    to: highestKeyAt(lastPlaceAt(fromMs + BUCKET_MS - 1)),
  };
  const count = new TradeCount(now);
  let damaged = 0;
  let after: Buffer | undefined;
  do {
    const question = { ...bounds, after, segmentsMax, isConsistent: true };
    const page = await retryStore(() => store.page(question), watch.stop);
    damaged += takePage(page, count);
    watch.onRead(page.segments.length);
    after = page.after;
  } while (after !== undefined);
  return { symbol, records: count.records, newest: count.newest, damaged };
}

/** Counts a page's trades. @returns how many of its segments cannot be read. */
function takePage({ segments, after }: SegmentPage, count: TradeCount): number {
  let damaged = 0;
  for (const segment of segments) {
    try {
      count.add(readSegment(segment));
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error;
      damaged += 1;
    }
  }
  count.settle(after === undefined ? undefined : readKey(after).last);
  return damaged;
}
