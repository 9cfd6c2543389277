import { ConditionalCheckFailedException, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { callOptions } from "../dynamo/client.ts";
import type { Item } from "../dynamo/item.ts";
import { unproven } from "../dynamo/proven.ts";
import { classifyStoreFailure, type StoreFailure } from "../dynamo/store-failure.ts";
import type { Table } from "../dynamo/table.ts";
import { ownMember } from "../own-member.ts";
import { bucketAttribute, type Charge, chargeExpression } from "./charge.ts";
import type { Bucket, FullAgainAt } from "./token-bucket.ts";

/** The result of an attempt: the state after the charge, or the state that made it fail. */
export interface ChargeResult {
  readonly charged: boolean;
  readonly fullAgainAt: FullAgainAt;
}

/** Keeps the state of limits. One attempt is one write, which charges every bucket or none. */
export interface ChargeStore {
  /** @throws {unknown} an error for `failureOf`, when the store does not answer. */
  charge(key: string, buckets: readonly Bucket[], charge: Charge): Promise<ChargeResult>;
  failureOf(error: unknown): StoreFailure | undefined;
}

/** Keeps limits in DynamoDB: one item per limit and owner, one conditional update per charge. */
export class RateLimitStore implements ChargeStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  readonly failureOf = classifyStoreFailure;

  async charge(key: string, buckets: readonly Bucket[], charge: Charge): Promise<ChargeResult> {
    try {
      const { Attributes } = await this.#table.client.send(
        new UpdateItemCommand({
          TableName: this.#table.name,
          Key: { k: { S: key } },
          ...chargeExpression(buckets, charge),
          ReturnValues: "UPDATED_NEW",
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
        callOptions(),
      );
      if (Attributes === undefined) throw unproven();
      return { charged: true, fullAgainAt: fullAgainAtOf(buckets, Attributes) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { charged: false, fullAgainAt: fullAgainAtOf(buckets, error.Item) };
    }
  }
}

const fullAgainAtOf = (buckets: readonly Bucket[], item: Item | undefined): FullAgainAt =>
  Object.fromEntries(
    buckets.map((bucket) => [bucket.name, Number(ownMember(item, bucketAttribute(bucket))?.N ?? 0)]),
  );
