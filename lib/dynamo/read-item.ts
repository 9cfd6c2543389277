import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { callStore } from "./client.ts";
import { Expression } from "./expression.ts";
import type { Item } from "./item.ts";
import { priced, unproven } from "./proven.ts";
import type { Table } from "./table.ts";

/** The key of the item to read, and the attribute to read. */
export interface ItemQuestion {
  /** Names and texts of the key's attributes. */
  readonly key: Readonly<Record<string, string>>;
  /** The one attribute to read; all of them by default. */
  readonly attribute?: string;
}

/**
 * One item by a strongly consistent read, or undefined when it does not exist. DynamoDB reports ConsumedCapacity even
 * for a missing item. A response with neither Item nor ConsumedCapacity, such as an empty 200 from a proxy, does not
 * prove that the item is missing.
 *
 * @throws {Failure} `temporarily_unavailable` when the store does not answer, or its answer proves nothing.
 */
export async function readItem(table: Table, { key, attribute }: ItemQuestion): Promise<Item | undefined> {
  const expression = new Expression();
  const command = new GetItemCommand({
    TableName: table.name,
    Key: Object.fromEntries(Object.entries(key).map(([name, text]) => [name, { S: text }])),
    ConsistentRead: true,
    ...priced,
    ...(attribute !== undefined && {
      ProjectionExpression: expression.name(attribute),
      ...expression.references,
    }),
  });
  const { Item, ConsumedCapacity } = await callStore((options) => table.client.send(command, options));
  if (Item === undefined && ConsumedCapacity === undefined) throw unproven();
  return Item;
}
