import { setTimeout as pause } from "node:timers/promises";
import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import { Failure } from "../errors.ts";
import { ownMember } from "../own-member.ts";
import type { StoredSegment } from "./trade-store.ts";

/** What DynamoDB takes in one batch. */
const BATCH_MAX = 25;
const ATTEMPTS_MAX = 8;
const FIRST_PAUSE_MS = 50;
const RETRY_AFTER_MS = 1_000;

type WriteRequests = NonNullable<BatchWriteItemCommandOutput["UnprocessedItems"]>;

/**
 * Writes segments: the operator's side, which no function of the API is granted. What is written is never changed again: a
 * key says what is under it.
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
