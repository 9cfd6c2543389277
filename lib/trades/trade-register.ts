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
import { partitionsOf } from "./segment-key.ts";
import { type StoredSegment, segmentOfItem } from "./trade-store.ts";

/** What DynamoDB takes in one batch. */
const BATCH_MAX = 25;
const ATTEMPTS_MAX = 8;
const FIRST_PAUSE_MS = 50;
const RETRY_AFTER_MS = 1_000;

type WriteRequests = NonNullable<BatchWriteItemCommandOutput["UnprocessedItems"]>;

/**
 * Writes segments: the operator's side, which no function of the API is granted. What is written is never changed again: a
 * key says what is under it. Only what is damaged is ever taken out.
 */
export class TradeRegister {
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
   * @throws {Failure} `temporarily_unavailable` when the store is throttling for longer than some seconds.
   */
  async put(segments: readonly StoredSegment[]): Promise<void> {
    for (let at = 0; at < segments.length; at += BATCH_MAX)
      await this.#putBatch(segments.slice(at, at + BATCH_MAX));
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

  async #putBatch(segments: readonly StoredSegment[]): Promise<void> {
    let requests: WriteRequests = {
      [this.#tableName]: segments.map(({ partition, sort, payload }) => ({
        PutRequest: { Item: { pk: { S: partition }, sk: { B: sort }, d: { B: payload } } },
      })),
    };
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const command = new BatchWriteItemCommand({ RequestItems: requests });
      const { UnprocessedItems = {} } = await callStore(() => this.#client.send(command));
      if ((ownMember(UnprocessedItems, this.#tableName)?.length ?? 0) === 0) return;
      requests = UnprocessedItems;
      await this.#pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
    throw new Failure("temporarily_unavailable", "The store left writes undone.", {
      retryAfterMs: RETRY_AFTER_MS,
    });
  }
}
