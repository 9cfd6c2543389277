import { setTimeout as pause } from "node:timers/promises";
import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { type BatchTarget, writeBatches } from "../dynamo/batch-write.ts";
import { orExisting, priced } from "../dynamo/proven.ts";
import { scan } from "../dynamo/scan.ts";
import type { Table } from "../dynamo/table.ts";
import type { SegmentSink } from "./put-trades.ts";
import { bucketOf } from "./segment.ts";
import {
  highestKeyAt,
  lastPlaceAt,
  lowestKeyAt,
  partitionOf,
  partitionsOf,
  withdrawnPartitionOf,
} from "./segment-key.ts";
import { type StoredSegment, segmentOfItem, TradeStore } from "./trade-store.ts";
import type { Span } from "./withdrawn-places.ts";

/** The most segments that one query of a span reads. */
const QUERY_SEGMENTS_MAX = 1_000;

/** The key of a stored segment. */
export type SegmentKey = Pick<StoredSegment, "partition" | "sort">;

/**
 * Writes segments. It is for operators: no function of the API has the permission. A written segment never changes,
 * because its key depends on its content. Segments are removed only when they are damaged, or when others hold what
 * counts of theirs.
 */
export class TradeRegister implements SegmentSink {
  readonly #table: Table;
  readonly #target: BatchTarget;

  constructor(table: Table, wait: (ms: number) => Promise<unknown> = pause) {
    this.#table = table;
    this.#target = { table, pause: wait };
  }

  /**
   * Writes segments, in any order. When it throws, some are written and some are not; the call may always be repeated.
   *
   * @throws {Failure} `temporarily_unavailable` when the store throttles for longer than some seconds, or on `signal`.
   */
  async put(segments: readonly StoredSegment[], signal?: AbortSignal): Promise<void> {
    const requests = segments.map(({ partition, sort, payload }) => ({
      PutRequest: { Item: { pk: { S: partition }, sk: { B: sort }, d: { B: payload } } },
    }));
    await writeBatches(this.#target, requests, signal);
  }

  /** Removes segments, in any order; a missing one is not an error. It throws as {@link put} does. */
  async removeAll(segments: readonly SegmentKey[], signal?: AbortSignal): Promise<void> {
    await writeBatches(
      this.#target,
      segments.map(({ partition, sort }) => ({
        DeleteRequest: { Key: { pk: { S: partition }, sk: { B: sort } } },
      })),
      signal,
    );
  }

  /** The segments of a market that listings read and that end in a span, as of every write that has been answered. */
  async segmentsWithin(symbol: string, span: Span): Promise<StoredSegment[]> {
    return await this.#read(partitionOf(symbol, bucketOf(span.fromMs)), span);
  }

  async withdrawals(symbol: string, span: Span): Promise<StoredSegment[]> {
    return await this.#read(withdrawnPartitionOf(partitionOf(symbol, bucketOf(span.fromMs))), span);
  }

  /** Every segment of a market, whenever its trades were made, in no order. It reads the whole table. */
  async *list(symbol: string): AsyncGenerator<StoredSegment> {
    const items = scan(this.#table, {
      FilterExpression: "begins_with(#pk, :market)",
      ExpressionAttributeNames: { "#pk": "pk" },
      ExpressionAttributeValues: { ":market": { S: partitionsOf(symbol) } },
    });
    for await (const item of items) yield segmentOfItem(item);
  }

  /**
   * Removes an unreadable segment, unless other content is stored under its key by now.
   *
   * @returns whether it was removed.
   */
  async remove({ partition, sort, payload }: StoredSegment): Promise<boolean> {
    const command = new DeleteItemCommand({
      TableName: this.#table.name,
      Key: { pk: { S: partition }, sk: { B: sort } },
      ConditionExpression: "attribute_exists(#pk) AND (#d = :d OR NOT attribute_type(#d, :binary))",
      ExpressionAttributeNames: { "#pk": "pk", "#d": "d" },
      ExpressionAttributeValues: { ":d": { B: payload }, ":binary": { S: "B" } },
      ...priced,
    });
    const { answer } = await orExisting(() => this.#table.client.send(command));
    return answer !== undefined;
  }

  async #read(partition: string, { fromMs, toMs }: Span): Promise<StoredSegment[]> {
    const store = new TradeStore(this.#table);
    const bounds = { partition, from: lowestKeyAt(fromMs), to: highestKeyAt(lastPlaceAt(toMs)) };
    const segments: StoredSegment[] = [];
    let after: Buffer | undefined;
    do {
      const question = { ...bounds, after, segmentsMax: QUERY_SEGMENTS_MAX, isConsistent: true };
      const page = await store.page(question);
      segments.push(...page.segments);
      after = page.after;
    } while (after !== undefined);
    return segments;
  }
}
