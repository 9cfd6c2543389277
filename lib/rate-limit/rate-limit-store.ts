import {
  type AttributeValue,
  ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { callOptions } from "../dynamo/client.ts";
import type { Item } from "../dynamo/item.ts";
import { unproven } from "../dynamo/proven.ts";
import { classifyStoreFailure, type StoreFailure } from "../dynamo/store-failure.ts";
import type { Table } from "../dynamo/table.ts";
import { ownMember } from "../own-member.ts";
import { type Bucket, believedUntil, capacityMs, type FullAgainAt } from "./token-bucket.ts";

/** One attempt to charge a limit. It succeeds only if exactly the buckets in `busy` are not full and all can pay. */
export interface Charge {
  readonly now: number;
  readonly cost: number;
  readonly busy: ReadonlySet<string>;
}

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

/** How long an item outlives the moment when its buckets are full, for clocks that differ and settings that change. */
const SPARE_S = 3_600;

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

/** The attribute of a limit's item in which the instant of a bucket is kept. */
export const bucketAttribute = ({ name }: Pick<Bucket, "name">): string => `t_${name}`;

const fullAgainAtOf = (buckets: readonly Bucket[], item: Item | undefined): FullAgainAt =>
  Object.fromEntries(
    buckets.map((bucket) => [bucket.name, Number(ownMember(item, bucketAttribute(bucket))?.N ?? 0)]),
  );

type Expression = Required<
  Pick<
    UpdateItemCommandInput,
    "UpdateExpression" | "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
  >
>;

/** When an item may be removed, in epoch seconds. Every bucket is full again within its capacity from now. */
function expiryOf(buckets: readonly Bucket[], now: number): number {
  return Math.ceil((now + Math.max(...buckets.map(capacityMs))) / 1000) + SPARE_S;
}

/** The charge of one bucket: its part of the update, its part of the condition, and the values of both. */
type BucketCharge = readonly [update: string, condition: string, values: Item];

/**
 * A full bucket is charged from `now` on, any other from its own instant. An instant that is not believed counts as
 * full and is overwritten. `at` is the bucket's number, which its placeholders contain.
 */
function chargeOf(bucket: Bucket, at: number, { now, cost, busy }: Charge): BucketCharge {
  const [fullAt, costs, bound] = [`#t${at}`, `:c${at}`, `:b${at}`];
  const costMs = cost * bucket.tokenMs;
  const values = (costsMs: number, boundMs: number) => ({
    [costs]: number(costsMs),
    [bound]: number(boundMs),
  });
  return busy.has(bucket.name)
    ? [
        `${fullAt} = ${fullAt} + ${costs}`,
        `${fullAt} > :now AND ${fullAt} <= ${bound}`,
        values(costMs, now + capacityMs(bucket) - costMs),
      ]
    : [
        `${fullAt} = ${costs}`,
        `(attribute_not_exists(${fullAt}) OR ${fullAt} <= :now OR ${fullAt} > ${bound})`,
        values(now + costMs, believedUntil(bucket, now)),
      ];
}

const number = (value: number): AttributeValue => ({ N: String(value) });

/** The condition names the buckets that are full, so an attempt that guessed wrong changes nothing. */
function chargeExpression(buckets: readonly Bucket[], charge: Charge): Expression {
  const updates = ["#x = :x"];
  const conditions: string[] = [];
  const names: Record<string, string> = { "#x": "x" };
  const { now } = charge;
  const values: Record<string, AttributeValue> = {
    ":x": number(expiryOf(buckets, now)),
    ":now": number(now),
  };
  buckets.forEach((bucket, at) => {
    const [update, condition, ofBucket] = chargeOf(bucket, at, charge);
    updates.push(update);
    conditions.push(condition);
    names[`#t${at}`] = bucketAttribute(bucket);
    Object.assign(values, ofBucket);
  });
  return {
    UpdateExpression: `SET ${updates.join(", ")}`,
    ConditionExpression: conditions.join(" AND "),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}
