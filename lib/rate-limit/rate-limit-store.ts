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

/** One attempt to charge a limit. It succeeds only if exactly the buckets in `busy` are not full, and all can pay. */
export interface Charge {
  readonly now: number;
  readonly cost: number;
  readonly busy: ReadonlySet<string>;
}

/** What an attempt found: the state after it when it charged, else the state that made it fail. */
export interface ChargeResult {
  readonly charged: boolean;
  readonly fullAgainAt: FullAgainAt;
}

/** Where the state of limits is kept. One attempt is one write; it never charges a part. */
export interface ChargeStore {
  /** @throws {unknown} what `failureOf` explains, when the store does not answer. */
  charge(key: string, buckets: readonly Bucket[], charge: Charge): Promise<ChargeResult>;
  failureOf(error: unknown): StoreFailure | undefined;
}

/** How long an item outlives the fullness of its buckets, for clocks that differ and settings that change. */
const SPARE_S = 3_600;

/** Keeps limits in DynamoDB: one item a limit, one conditional update a charge. */
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

const attributeOf = ({ name }: Bucket): string => `t_${name}`;

const fullAgainAtOf = (buckets: readonly Bucket[], item: Item | undefined): FullAgainAt =>
  Object.fromEntries(
    buckets.map((bucket) => [bucket.name, Number(ownMember(item, attributeOf(bucket))?.N ?? 0)]),
  );

type Expression = Required<
  Pick<
    UpdateItemCommandInput,
    "UpdateExpression" | "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
  >
>;

/** When an item may be removed, epoch seconds: no bucket is full again later than its capacity from now. */
function expiryOf(buckets: readonly Bucket[], now: number): number {
  return Math.ceil((now + Math.max(...buckets.map(capacityMs))) / 1000) + SPARE_S;
}

/** How one bucket is charged. Its placeholders have its number in the limit. */
interface BucketCharge {
  readonly update: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, AttributeValue>>;
}

const number = (value: number): AttributeValue => ({ N: String(value) });

/** A bucket that is not full is charged from where it stands. */
function chargeBusy(bucket: Bucket, at: number, { now, cost }: Charge): BucketCharge {
  const costMs = cost * bucket.tokenMs;
  return {
    update: `#t${at} = #t${at} + :c${at}`,
    condition: `#t${at} > :now AND #t${at} <= :m${at}`,
    values: { [`:c${at}`]: number(costMs), [`:m${at}`]: number(now + capacityMs(bucket) - costMs) },
  };
}

/** A full bucket is charged from `now` on. An instant that is not believed counts as full, and is overwritten. */
function chargeFull(bucket: Bucket, at: number, { now, cost }: Charge): BucketCharge {
  return {
    update: `#t${at} = :c${at}`,
    condition: `(attribute_not_exists(#t${at}) OR #t${at} <= :now OR #t${at} > :b${at})`,
    values: {
      [`:c${at}`]: number(now + cost * bucket.tokenMs),
      [`:b${at}`]: number(believedUntil(bucket, now)),
    },
  };
}

/** The condition says which buckets are full, so an attempt that guessed wrong changes nothing. */
function chargeExpression(buckets: readonly Bucket[], charge: Charge): Expression {
  const charges = buckets.map((bucket, at) =>
    (charge.busy.has(bucket.name) ? chargeBusy : chargeFull)(bucket, at, charge),
  );
  const names = buckets.map((bucket, at) => [`#t${at}`, attributeOf(bucket)]);
  const values = charges.flatMap((one) => Object.entries(one.values));
  return {
    UpdateExpression: `SET ${["#x = :x", ...charges.map(({ update }) => update)].join(", ")}`,
    ConditionExpression: charges.map(({ condition }) => condition).join(" AND "),
    ExpressionAttributeNames: { "#x": "x", ...Object.fromEntries(names) },
    ExpressionAttributeValues: {
      ":x": number(expiryOf(buckets, charge.now)),
      ":now": number(charge.now),
      ...Object.fromEntries(values),
    },
  };
}
