import { DescribeTableCommand, ScanCommand, type ScanCommandInput } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Clock } from "../../lib/clock.ts";
import { callStore } from "../../lib/dynamo/client.ts";
import { Expression } from "../../lib/dynamo/expression.ts";
import { type Item, textOf } from "../../lib/dynamo/item.ts";
import { unproven } from "../../lib/dynamo/proven.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { versionInstant } from "../../lib/lifecycle.ts";
import { betterRow } from "../../lib/trades/page-buffer.ts";
import { DamagedSegment, readSegment } from "../../lib/trades/read-segment.ts";
import { compareToPlace } from "../../lib/trades/row-order.ts";
import { BUCKET_MS } from "../../lib/trades/segment.ts";
import { isWithdrawnAt, placeAt, type Row, type SegmentColumns } from "../../lib/trades/segment-columns.ts";
import {
  highestKeyAt,
  isWithdrawnPartition,
  lastPlaceAt,
  lowestKeyAt,
  readKey,
} from "../../lib/trades/segment-key.ts";
import { type Place, placeText } from "../../lib/trades/trade.ts";
import { type SegmentPage, TradeStore } from "../../lib/trades/trade-store.ts";
import { inThousands } from "../../local/records/tally.ts";
import { prices } from "../prices.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { instantText } from "../terminal/write-table.ts";

/** The kinds of owners that records have. Passes have none, and are one row. */
const tenantKinds = ["business", "partner", "market", "passes"] as const;

/** The records of one owner, as commands print them. */
export const tenantShape = z.object({
  kind: z.enum(tenantKinds),
  /** The business, the partner or the market's symbol; null for passes. */
  owner: z.nullable(z.string()),
  /** How many are stored; of trades, how many readers see. */
  records: z.number(),
  /** When the newest one changed, or of trades was made. Null for passes, which have no time. */
  newest: z.nullable(jsonTime),
  /** Segments of trades that cannot be read, and whose trades are not counted. */
  damagedSegments: z.optional(z.number()),
});

export type Tenant = Readonly<z.infer<typeof tenantShape>>;

/** The order of a listing: by kind, then by owner. */
const compareTenants = (a: Tenant, b: Tenant): number =>
  tenantKinds.indexOf(a.kind) - tenantKinds.indexOf(b.kind) ||
  (a.owner ?? "").localeCompare(b.owner ?? "", "en");

/** The tables that hold records. */
export const recordTables = [
  "Transactions",
  "SellOrders",
  "Passes",
  "Trades",
] as const satisfies readonly TableName[];

type RecordTable = (typeof recordTables)[number];

/** What the store says of a table without reading it; DynamoDB brings it up to date about every six hours. */
export interface TableSize {
  readonly table: RecordTable;
  readonly items: number;
  readonly bytes: number;
}

/** The sizes of the tables with records, as the store last counted them. */
export const readTableSizes = ({ table }: Pick<OperatorStore, "table">): Promise<readonly TableSize[]> =>
  Promise.all(
    recordTables.map(async (name) => {
      const { client, name: TableName } = table(name);
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      return { table: name, items: Table?.ItemCount ?? 0, bytes: Table?.TableSizeBytes ?? 0 };
    }),
  );

const GIB = 1024 ** 3;
/** Below this, a count costs less than a cent or two, and takes seconds. */
const ASKED_BYTES_MIN = 4 * GIB;
/** One strongly consistent read unit. */
const UNIT_BYTES = 4_096;
const MILLION = 1_000_000;

/** Dollars for reading so many bytes of tables, as DynamoDB bills them on demand. */
export const readingCost = (bytes: number): number =>
  (Math.ceil(bytes / UNIT_BYTES) / MILLION) * prices.readUnitsPerMillion;

/** The question to confirm before a full scan; undefined when the tables are small. */
export function questionFor(sizes: readonly TableSize[]): string | undefined {
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  if (bytes <= ASKED_BYTES_MIN) return undefined;
  const [size, dollars] = [(bytes / GIB).toFixed(1), readingCost(bytes).toFixed(2)];
  return `This reads the tables whole, about ${size} GiB, which costs about ${dollars} USD (prices of ${prices.asOf}). Count them?`;
}

/** The question of a store of AWS; undefined elsewhere, where reading costs nothing. */
export const costQuestion = async (store: OperatorStore): Promise<string | undefined> =>
  store.aws === undefined ? undefined : questionFor(await readTableSizes(store));

const REDRAW_MS = 200;
const PLAIN_LINE_MS = 5_000;

/**
 * Shows on standard error how many items a count has read: on a line of a terminal, which stays for the command to remove,
 * elsewhere on a new one every five seconds.
 */
export function showCount(clock: Clock): Watch["onRead"] {
  let items = 0;
  let shownAt = clock();
  const intervalMs = process.stderr.isTTY ? REDRAW_MS : PLAIN_LINE_MS;
  return (more) => {
    items += more;
    if (clock() - shownAt < intervalMs) return;
    shownAt = clock();
    const text = `${inThousands(items)} items read`;
    if (process.stderr.isTTY) showProgress(text);
    else console.error(text);
  };
}

/** What a count tells while it reads, and by what it is stopped. */
export interface Watch {
  /** Called with the number of further items that were read. */
  readonly onRead: (items: number) => void;
  readonly stop: AbortSignal;
}

/** How many parts of a table are read at once. */
const PARTS = 4;

/**
 * Reads a whole table, in parts side by side, as of every write that had been answered. Only these attributes of an item
 * are sent; the store reads it whole.
 *
 * @throws {Failure} when the store does not answer for half a minute, and an abort.
 */
async function readWhole(
  table: Table,
  attributes: readonly string[],
  take: (item: Item) => void,
  { onRead, stop }: Watch,
): Promise<void> {
  const readPart = async (Segment: number): Promise<void> => {
    let after: Item | undefined;
    do {
      const part = { Segment, TotalSegments: PARTS, ExclusiveStartKey: after };
      const page = await scanPage(table, attributes, part, stop);
      page.items.forEach(take);
      onRead(page.items.length);
      after = page.after;
    } while (after !== undefined);
  };
  await Promise.all(Array.from({ length: PARTS }, (_, at) => readPart(at)));
}

/** These attributes of a page of a table's items, and the key behind which the next page begins. */
async function scanPage(
  { client, name }: Table,
  attributes: readonly string[],
  range: Pick<ScanCommandInput, "Segment" | "TotalSegments" | "Limit" | "ExclusiveStartKey">,
  stop: AbortSignal,
): Promise<{ readonly items: readonly Item[]; readonly after: Item | undefined }> {
  const expression = new Expression();
  const ProjectionExpression = expression.names(attributes);
  const command = new ScanCommand({
    TableName: name,
    ProjectionExpression,
    ...expression.references,
    ...range,
    ConsistentRead: true,
  });
  const send = () => callStore(() => client.send(command, { abortSignal: stop }));
  const { Items, LastEvaluatedKey } = await retryStore(send, stop);
  if (Items === undefined) throw unproven();
  return { items: Items, after: LastEvaluatedKey };
}

/** The highest sort key: a scan that goes on behind it finds the next partition. */
const HIGHEST_SORT = Buffer.alloc(28, 0xff);

/**
 * The names of a table's partitions, each by a read of one item, whatever they hold. The table's keys are those of trades.
 */
async function listPartitions(table: Table, { stop }: Watch): Promise<readonly string[]> {
  const found = new Set<string>();
  let last: Item | undefined;
  for (;;) {
    const { items } = await scanPage(table, ["pk"], { Limit: 1, ExclusiveStartKey: last }, stop);
    const partition = items[0]?.pk?.S;
    if (partition === undefined) return [...found];
    found.add(partition);
    last = { pk: { S: partition }, sk: { B: HIGHEST_SORT } };
  }
}

/** The tables whose records have an owner and a version, with the owner's attribute. */
const OWNED = [
  { table: "Transactions", kind: "business", owner: "business_id" },
  { table: "SellOrders", kind: "partner", owner: "partner_id" },
] as const;

interface Count {
  records: number;
  /** The highest version, which begins with the instant of the update. */
  version: string;
}

/** Counts the transactions of each business and the sell orders of each partner, with the newest change of each. */
export async function countOwned(
  { table }: Pick<OperatorStore, "table">,
  watch: Watch,
): Promise<readonly Tenant[]> {
  const found: Tenant[] = [];
  for (const { table: name, kind, owner } of OWNED) {
    const counts = new Map<string, Count>();
    await readWhole(
      table(name),
      [owner, "version"],
      (item) => {
        const count = counts.get(textOf(item, owner)) ?? { records: 0, version: "" };
        count.records += 1;
        if (textOf(item, "version") > count.version) count.version = textOf(item, "version");
        counts.set(textOf(item, owner), count);
      },
      watch,
    );
    for (const [id, { records, version }] of counts)
      found.push({ kind, owner: id, records, newest: version === "" ? null : versionInstant(version) });
  }
  return found;
}

/** Counts the passes, void ones too; no row without any. */
export async function countPasses(
  { table }: Pick<OperatorStore, "table">,
  watch: Watch,
): Promise<readonly Tenant[]> {
  let records = 0;
  await readWhole(table("Passes"), ["partner_reference"], () => (records += 1), watch);
  return records === 0 ? [] : [{ kind: "passes", owner: null, records, newest: null }];
}

/**
 * Counts the trades that readers see of a partition, which is 32 days of a market, from its segments, which come newest
 * first. A trade that stands in several segments counts once, a withdrawn one not at all. It keeps only the trades that a
 * later segment may still have.
 */
class TradeCount {
  readonly symbol: string;
  records = 0;
  /** When the newest trade was made, epoch milliseconds. */
  newest = Number.NEGATIVE_INFINITY;
  /** Segments that cannot be read. */
  damaged = 0;
  readonly #asOf: number;
  readonly #open = new Map<string, Row>();

  /** @param asOf trades that are published later (epoch ms) are not seen yet. */
  constructor(symbol: string, asOf: number) {
    this.symbol = symbol;
    this.#asOf = asOf;
  }

  take({ segments, after }: SegmentPage): void {
    for (const segment of segments) {
      try {
        this.#add(readSegment(segment));
      } catch (error) {
        if (!(error instanceof DamagedSegment)) throw error;
        this.damaged += 1;
      }
    }
    this.#settle(after === undefined ? undefined : readKey(after).last);
  }

  #add(columns: SegmentColumns): void {
    for (let row = 0; row < columns.count; row += 1) {
      if ((columns.publishedAt[row] ?? 0) > this.#asOf) continue;
      const one = { columns, row };
      const place = placeText(placeAt(columns, row));
      const other = this.#open.get(place);
      this.#open.set(place, other === undefined ? one : betterRow(other, one));
    }
  }

  /** Counts what is newer than a place, which no further segment can change; everything without one. */
  #settle(floor: Place | undefined): void {
    for (const [place, one] of this.#open) {
      if (floor !== undefined && compareToPlace(one, floor) <= 0) continue;
      this.#open.delete(place);
      if (isWithdrawnAt(one.columns, one.row)) continue;
      this.records += 1;
      this.newest = Math.max(this.newest, one.columns.tradedAt[one.row] ?? 0);
    }
  }
}

const PARTITIONS_AT_ONCE = 4;
const PAGE_SEGMENTS_MAX = 1_000;

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
  const counts: TradeCount[] = [];
  const work = async () => {
    for (let name = partitions.pop(); name !== undefined; name = partitions.pop())
      counts.push(await countPartition(store, name, watch, counting));
  };
  await Promise.all(Array.from({ length: PARTITIONS_AT_ONCE }, work));
  return [...Map.groupBy(counts, ({ symbol }) => symbol)].map(([symbol, own]) => marketOf(symbol, own));
}

function marketOf(symbol: string, counts: readonly TradeCount[]): Tenant {
  const newest = Math.max(...counts.map((one) => one.newest));
  const damaged = counts.reduce((sum, one) => sum + one.damaged, 0);
  return {
    kind: "market",
    owner: symbol,
    records: counts.reduce((sum, { records }) => sum + records, 0),
    newest: Number.isFinite(newest) ? instantText(newest) : null,
    ...(damaged > 0 && { damagedSegments: damaged }),
  };
}

async function countPartition(
  store: TradeStore,
  partition: string,
  watch: Watch,
  { now, pageSegmentsMax: segmentsMax = PAGE_SEGMENTS_MAX }: TradeCounting,
): Promise<TradeCount> {
  const [symbol = "", bucket = "0"] = partition.split("#");
  const fromMs = Number(bucket) * BUCKET_MS;
  const bounds = {
    partition,
    from: lowestKeyAt(fromMs),
    to: highestKeyAt(lastPlaceAt(fromMs + BUCKET_MS - 1)),
  };
  const count = new TradeCount(symbol, now);
  let after: Buffer | undefined;
  do {
    const question = { ...bounds, after, segmentsMax, isConsistent: true };
    const page = await retryStore(() => store.page(question), watch.stop);
    count.take(page);
    watch.onRead(page.segments.length);
    after = page.after;
  } while (after !== undefined);
  return count;
}

/** The records of every owner, in the order of a listing. */
export async function countAll(store: OperatorStore, watch: Watch, now: number): Promise<readonly Tenant[]> {
  const counted = [
    await countOwned(store, watch),
    await countTrades(store, watch, { now }),
    await countPasses(store, watch),
  ];
  return counted.flat().toSorted(compareTenants);
}
