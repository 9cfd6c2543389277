import { setTimeout as pause } from "node:timers/promises";
import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import { Failure } from "../errors.ts";
import { ownMember } from "../own-member.ts";
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
import type { SegmentSink, Span } from "./trade-writer.ts";

/** What DynamoDB takes in one batch. */
const BATCH_MAX = 25;
const ATTEMPTS_MAX = 8;
const FIRST_PAUSE_MS = 50;
const RETRY_AFTER_MS = 1_000;

/** The most segments that one query of a span reads. */
const QUERY_SEGMENTS_MAX = 1_000;

type WriteRequests = NonNullable<BatchWriteItemCommandOutput["UnprocessedItems"]>;
type WriteRequest = WriteRequests[string][number];

/** Where a segment stands. */
export type SegmentKey = Pick<StoredSegment, "partition" | "sort">;

/**
 * Writes segments: the operator's side, which no function of the API is granted. What is written is never changed again: a
 * key says what is under it. Only what is damaged, and what was withdrawn, is ever taken out.
 */
export class TradeRegister implements SegmentSink {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;
  readonly #pause: (ms: number) => Promise<unknown>;

  constructor(client: DynamoDBClient, tableName: string, wait: (ms: number) => Promise<unknown> = pause) {
    this.#client = client;
    this.#tableName = tableName;
    this.#pause = wait;
  }

  /**
   * Writes segments, in any order. When it throws, some are written and some are not: doing it again is always right.
   *
   * @throws {Failure} `temporarily_unavailable` when the store is throttling for longer than some seconds, or the signal
   * was aborted first.
   */
  async put(segments: readonly StoredSegment[], signal?: AbortSignal): Promise<void> {
    const requests = segments.map(({ partition, sort, payload }) => ({
      PutRequest: { Item: { pk: { S: partition }, sk: { B: sort }, d: { B: payload } } },
    }));
    await this.#writeAll(requests, signal);
  }

  /** Takes segments out, in any order; what is not there is no error. It throws as {@link put} does. */
  async removeAll(segments: readonly SegmentKey[]): Promise<void> {
    await this.#writeAll(
      segments.map(({ partition, sort }) => ({
        DeleteRequest: { Key: { pk: { S: partition }, sk: { B: sort } } },
      })),
    );
  }

  /** The segments of a market that listings read and that end in a span, as of every write that has been answered. */
  async segmentsWithin(symbol: string, span: Span): Promise<StoredSegment[]> {
    return await this.#read(partitionOf(symbol, bucketOf(span.fromMs)), span);
  }

  async withdrawals(symbol: string, span: Span): Promise<StoredSegment[]> {
    return await this.#read(withdrawnPartitionOf(partitionOf(symbol, bucketOf(span.fromMs))), span);
  }

  /** Every segment of a market, whenever its trades were made, in no order. The whole table is read for it. */
  async *list(symbol: string): AsyncGenerator<StoredSegment> {
    const pages = paginateScan(
      { client: this.#client },
      {
        TableName: this.#tableName,
        ConsistentRead: true,
        FilterExpression: "begins_with(#pk, :market)",
        ExpressionAttributeNames: { "#pk": "pk" },
        ExpressionAttributeValues: { ":market": { S: partitionsOf(symbol) } },
      },
    );
    for await (const page of pages) yield* (page.Items ?? []).map(segmentOfItem);
  }

  /**
   * Takes a segment out, for one that nobody can read. One that holds something else by now stays.
   *
   * @returns whether it was taken out.
   */
  async remove({ partition, sort, payload }: StoredSegment): Promise<boolean> {
    const command = new DeleteItemCommand({
      TableName: this.#tableName,
      Key: { pk: { S: partition }, sk: { B: sort } },
      ConditionExpression: "attribute_exists(#pk) AND (#d = :d OR NOT attribute_type(#d, :binary))",
      ExpressionAttributeNames: { "#pk": "pk", "#d": "d" },
      ExpressionAttributeValues: { ":d": { B: payload }, ":binary": { S: "B" } },
    });
    try {
      await callStore(() => this.#client.send(command));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async #read(partition: string, { fromMs, toMs }: Span): Promise<StoredSegment[]> {
    const store = new TradeStore(this.#client, this.#tableName);
    const bounds = { partition, from: lowestKeyAt(fromMs), to: highestKeyAt(lastPlaceAt(toMs)) };
    const segments: StoredSegment[] = [];
    let after: Buffer | undefined;
    do {
      const question = { ...bounds, after, segmentsMax: QUERY_SEGMENTS_MAX, isConsistent: true };
      const page = await store.query(question);
      segments.push(...page.segments);
      after = page.hasMore ? page.segments.at(-1)?.sort : undefined;
    } while (after !== undefined);
    return segments;
  }

  async #writeAll(requests: readonly WriteRequest[], signal?: AbortSignal): Promise<void> {
    for (let at = 0; at < requests.length; at += BATCH_MAX)
      await this.#writeBatch(requests.slice(at, at + BATCH_MAX), signal);
  }

  async #writeBatch(batch: WriteRequest[], signal?: AbortSignal): Promise<void> {
    let requests: WriteRequests = { [this.#tableName]: batch };
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const command = new BatchWriteItemCommand({ RequestItems: requests });
      const { UnprocessedItems = {} } = await callStore(() =>
        this.#client.send(command, signal && { abortSignal: signal }),
      );
      if ((ownMember(UnprocessedItems, this.#tableName)?.length ?? 0) === 0) return;
      requests = UnprocessedItems;
      await this.#pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
    throw new Failure("temporarily_unavailable", "The store left writes undone.", {
      retryAfterMs: RETRY_AFTER_MS,
    });
  }
}
