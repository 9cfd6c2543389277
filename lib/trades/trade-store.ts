import { setTimeout as pause } from "node:timers/promises";
import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  type DynamoDBClient,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import { Failure } from "../errors.ts";

/** A segment as it is stored. */
export interface StoredSegment {
  readonly partition: string;
  readonly sort: Buffer;
  readonly payload: Buffer;
}

/** Which segments of one partition to read, the one with the highest key first. */
export interface SegmentQuestion {
  readonly partition: string;
  /** Both ends belong to what is read. */
  readonly from: Buffer;
  readonly to: Buffer;
  /** Key of the last segment of the page before; the reading goes on below it. */
  readonly after: Buffer | undefined;
  /** The most segments to read. */
  readonly segmentsMax: number;
  readonly isConsistent: boolean;
}

export interface SegmentPage {
  readonly segments: readonly StoredSegment[];
  /** Whether there may be more below the last one. */
  readonly hasMore: boolean;
}

/** What DynamoDB takes in one batch. */
const BATCH_MAX = 25;
const ATTEMPTS_MAX = 8;
const FIRST_PAUSE_MS = 50;
const RETRY_AFTER_MS = 1_000;

type WriteRequests = NonNullable<BatchWriteItemCommandOutput["UnprocessedItems"]>;

/** Reads and writes segments. What is written is never changed again: a key says what is under it. */
export class TradeStore {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;
  readonly #pause: (ms: number) => Promise<unknown>;

  constructor(client: DynamoDBClient, tableName: string, wait: (ms: number) => Promise<unknown> = pause) {
    this.#client = client;
    this.#tableName = tableName;
    this.#pause = wait;
  }

  /** One query, with at most one page of its answer. */
  async query(question: SegmentQuestion): Promise<SegmentPage> {
    const { partition, from, to, after } = question;
    const command = new QueryCommand({
      TableName: this.#tableName,
      KeyConditionExpression: "#pk = :pk AND #sk BETWEEN :from AND :to",
      ExpressionAttributeNames: { "#pk": "pk", "#sk": "sk" },
      ExpressionAttributeValues: { ":pk": { S: partition }, ":from": { B: from }, ":to": { B: to } },
      ScanIndexForward: false,
      Limit: question.segmentsMax,
      ConsistentRead: question.isConsistent,
      ...(after === undefined ? {} : { ExclusiveStartKey: { pk: { S: partition }, sk: { B: after } } }),
    });
    const { Items = [], LastEvaluatedKey } = await callStore(() => this.#client.send(command));
    const segments = Items.map((item) => ({
      partition,
      sort: Buffer.from(item.sk?.B ?? []),
      payload: Buffer.from(item.d?.B ?? []),
    }));
    return { segments, hasMore: LastEvaluatedKey !== undefined };
  }

  /**
   * Writes segments, in any order. When it throws, some are written and some are not: doing it again is always right.
   *
   * @throws {Failure} `temporarily_unavailable` when the store is throttling for longer than some seconds.
   */
  async put(segments: readonly StoredSegment[]): Promise<void> {
    for (let at = 0; at < segments.length; at += BATCH_MAX)
      await this.#putBatch(segments.slice(at, at + BATCH_MAX));
  }

  async #putBatch(segments: readonly StoredSegment[]): Promise<void> {
    let requests: WriteRequests = {
      [this.#tableName]: segments.map(({ partition, sort, payload }) => ({
        PutRequest: { Item: { pk: { S: partition }, sk: { B: sort }, d: { B: payload } } },
      })),
    };
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const command = new BatchWriteItemCommand({ RequestItems: requests });
      const { UnprocessedItems = {} } = await callStore(() => this.#client.send(command));
      if ((UnprocessedItems[this.#tableName]?.length ?? 0) === 0) return;
      requests = UnprocessedItems;
      await this.#pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
    throw new Failure("temporarily_unavailable", "The store left writes undone.", {
      retryAfterMs: RETRY_AFTER_MS,
    });
  }
}
