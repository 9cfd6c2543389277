import type { SegmentSink } from "../../lib/trades/put-trades.ts";
import { bucketOf } from "../../lib/trades/segment.ts";
import {
  highestKeyAt,
  lastPlaceAt,
  lowestKeyAt,
  partitionOf,
  withdrawnPartitionOf,
} from "../../lib/trades/segment-key.ts";
import type { SegmentSource } from "../../lib/trades/trade-reader.ts";
import type { SegmentKey } from "../../lib/trades/trade-register.ts";
import type { SegmentPage, SegmentQuestion, StoredSegment } from "../../lib/trades/trade-store.ts";
import type { Span } from "../../lib/trades/withdrawn-places.ts";

/** The bytes that a read unit pays for, and the most bytes that one query reads. */
export interface TableRules {
  readonly unitBytes: number;
  readonly queryBytesMax: number;
}

const DOCUMENTED: TableRules = { unitBytes: 4_096, queryBytesMax: 1024 * 1024 };

/** Size of an item as DynamoDB's documentation counts it: names and values of its attributes. */
const sizeOf = ({ partition, sort, payload }: StoredSegment): number =>
  "pk".length + partition.length + "sk".length + sort.length + "d".length + payload.length;

/**
 * A table of segments in memory that counts units as DynamoDB's documentation does: a write is rounded up to 1 KB an
 * item, a query to 4 KB of all that it read, at least one unit, and half of that when it is eventually consistent. With
 * smaller rules, little data costs as much as much data does otherwise.
 */
export class SegmentTable implements SegmentSource, SegmentSink {
  readonly #partitions = new Map<string, StoredSegment[]>();
  readonly #rules: TableRules;
  readonly questions: SegmentQuestion[] = [];
  readUnits = 0;
  writeUnits = 0;
  /** Awaited before each query, so that writers can come in between the queries of a page. */
  beforeQuery: () => Promise<void> = async () => {};

  constructor(rules: TableRules = DOCUMENTED) {
    this.#rules = rules;
  }

  get size(): number {
    return [...this.#partitions.values()].reduce((sum, items) => sum + items.length, 0);
  }

  /** All that is stored, in the order of the keys. */
  get segments(): readonly StoredSegment[] {
    return [...this.#partitions.values()].flat();
  }

  async put(segments: readonly StoredSegment[]): Promise<void> {
    for (const segment of segments) {
      this.writeUnits += Math.ceil(sizeOf(segment) / 1024);
      const items = this.#partitions.get(segment.partition) ?? [];
      this.#partitions.set(segment.partition, items);
      const at = lowerBound(items, segment.sort);
      const isThere = items[at]?.sort.equals(segment.sort) === true;
      items.splice(at, isThere ? 1 : 0, segment);
    }
  }

  /** Not counted, because only operators read so, and it costs listings nothing. */
  async segmentsWithin(symbol: string, span: Span): Promise<StoredSegment[]> {
    return this.#within(partitionOf(symbol, bucketOf(span.fromMs)), span);
  }

  async withdrawals(symbol: string, span: Span): Promise<StoredSegment[]> {
    return this.#within(withdrawnPartitionOf(partitionOf(symbol, bucketOf(span.fromMs))), span);
  }

  async removeAll(keys: readonly SegmentKey[]): Promise<void> {
    for (const { partition, sort } of keys) {
      const items = this.#partitions.get(partition) ?? [];
      const at = lowerBound(items, sort);
      if (items[at]?.sort.equals(sort) === true) items.splice(at, 1);
    }
  }

  #within(partition: string, { fromMs, toMs }: Span): StoredSegment[] {
    const items = this.#partitions.get(partition) ?? [];
    return items.slice(
      lowerBound(items, lowestKeyAt(fromMs)),
      lowerBound(items, Buffer.concat([highestKeyAt(lastPlaceAt(toMs)), Buffer.alloc(1)])),
    );
  }

  async page(question: SegmentQuestion): Promise<SegmentPage> {
    await this.beforeQuery();
    this.questions.push(question);
    const { partition, from, to, after, segmentsMax, isConsistent } = question;
    if (Buffer.compare(from, to) > 0) throw new Error("The lower bound of BETWEEN is above the upper one.");
    const items = this.#partitions.get(partition) ?? [];
    const segments: StoredSegment[] = [];
    const { unitBytes, queryBytesMax } = this.#rules;
    let bytes = 0;
    let at = lowerBound(items, after ?? Buffer.concat([to, Buffer.alloc(1)])) - 1;
    for (; at >= 0 && segments.length < segmentsMax && bytes < queryBytesMax; at -= 1) {
      const item = items[at];
      if (item === undefined || Buffer.compare(item.sort, from) < 0) break;
      segments.push(item);
      bytes += sizeOf(item);
    }
    const units = Math.max(1, Math.ceil(bytes / unitBytes)) * (isConsistent ? 1 : 0.5);
    this.readUnits += units;
    // As on DynamoDB, a page that was cut by its limit does not tell whether anything follows.
    const isCut = segments.length === segmentsMax || bytes >= queryBytesMax;
    return { segments, after: isCut ? segments.at(-1)?.sort : undefined, units };
  }

  /** Sets the counts back to 0. */
  resetCounts(): void {
    this.readUnits = 0;
    this.writeUnits = 0;
    this.questions.length = 0;
  }
}

function lowerBound(items: readonly StoredSegment[], key: Buffer): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(items[middle]?.sort ?? key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
