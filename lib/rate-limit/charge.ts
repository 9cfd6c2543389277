import type { Item } from "../dynamo/item.ts";
import { dayOf, lastUseAttribute } from "./last-use.ts";
import { type Bucket, believedUntil, capacityMs } from "./token-bucket.ts";

/** A charge before the state of its buckets is assumed. */
export type AskedCharge = Omit<Charge, "busy">;

/** One attempt to charge a limit. It succeeds only if exactly the buckets in `busy` are not full and all can pay. */
export interface Charge {
  readonly now: number;
  readonly cost: number;
  readonly busy: ReadonlySet<string>;
  /** Ids of the registered credentials whose last use a successful attempt keeps. */
  readonly credentials?: readonly string[];
}

/**
 * How long an item outlives the moment when its buckets are full. The days of last uses are worth keeping for a year and
 * a month; an hour would do for clocks that differ and settings that change.
 */
const SPARE_S = 400 * 86_400;

/** The attribute of a limit's item in which the instant of a bucket is kept. */
export const bucketAttribute = ({ name }: Pick<Bucket, "name">): string => `t_${name}`;

/** The members of an update that charge a limit. */
interface Expression {
  readonly UpdateExpression: string;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, Item[string]>;
}

/** The key of the item that limits an owner. */
export const limitKey = (limitName: string, owner: string): string => `${limitName}#${owner}`;

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

const number = (value: number): Item[string] => ({ N: String(value) });

/**
 * An attempt as the members of an update. The condition names the buckets that are full, so an attempt that guessed wrong
 * changes nothing.
 */
export function chargeExpression(buckets: readonly Bucket[], charge: Charge): Expression {
  const { now, credentials = [] } = charge;
  const uses = credentials.map((id, at) => [`#u${at}`, lastUseAttribute(id)] as const);
  const updates = ["#x = :x", ...uses.map(([alias]) => `${alias} = :day`)];
  const conditions: string[] = [];
  const names: Record<string, string> = { "#x": "x", ...Object.fromEntries(uses) };
  const values: Record<string, Item[string]> = {
    ":x": number(expiryOf(buckets, now)),
    ":now": number(now),
    ...(uses.length > 0 && { ":day": number(dayOf(now)) }),
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
