import { type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { Failure } from "../errors.ts";
import { callStore } from "./client.ts";
import { Expression } from "./expression.ts";
import type { Item } from "./settle-version.ts";

const UNPROVEN_RETRY_AFTER_MS = 1_000;

export interface ItemQuestion {
  readonly tableName: string;
  /** Names and texts of the key's attributes. */
  readonly key: Readonly<Record<string, string>>;
  /** The one attribute that is wanted; all of them unless it is given. */
  readonly attribute?: string;
}

/**
 * One item, as of every write that has been answered, or undefined when there is none. "There is none" is said only when
 * the store shows that it looked: callers take it for final.
 *
 * @throws {Failure} `temporarily_unavailable` when the store does not answer, or with something that shows nothing.
 */
export async function readItem(
  client: DynamoDBClient,
  { tableName, key, attribute }: ItemQuestion,
): Promise<Item | undefined> {
  const expression = new Expression();
  const command = new GetItemCommand({
    TableName: tableName,
    Key: Object.fromEntries(Object.entries(key).map(([name, text]) => [name, { S: text }])),
    ConsistentRead: true,
    ReturnConsumedCapacity: "TOTAL",
    ...(attribute !== undefined && {
      ProjectionExpression: expression.name(attribute),
      ...expression.references,
    }),
  });
  const { Item, ConsumedCapacity } = await callStore((options) => client.send(command, options));
  if (Item === undefined && ConsumedCapacity === undefined) throw unproven();
  return Item;
}

/**
 * A read that found nothing has a price as well, and the store names it. An answer without one, such as an empty body
 * from something in between, shows nothing at all.
 */
export const unproven = (): Failure =>
  new Failure("temporarily_unavailable", "The store's answer does not show that it read.", {
    retryAfterMs: UNPROVEN_RETRY_AFTER_MS,
  });
