import { ScanCommand, type ScanCommandInput } from "@aws-sdk/client-dynamodb";
import { callStore } from "./client.ts";
import type { Item } from "./item.ts";
import { unproven } from "./proven.ts";
import type { Table } from "./table.ts";

/** A filter of items, and the attributes to return, as the parameters of a scan spell them. */
type ScanFilter = Pick<
  ScanCommandInput,
  "FilterExpression" | "ProjectionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
>;

/**
 * Every item of a table, or those that a filter keeps, as of every write that has been answered, in no order. It is for
 * operators, because it reads the whole table.
 *
 * @throws {Failure} `temporarily_unavailable` when the store does not answer, or its answer proves nothing.
 */
export async function* scan({ client, name }: Table, filter: ScanFilter = {}): AsyncGenerator<Item> {
  let last: ScanCommandInput["ExclusiveStartKey"];
  do {
    const command = new ScanCommand({
      TableName: name,
      ...filter,
      ConsistentRead: true,
      ExclusiveStartKey: last,
    });
    const { Items, LastEvaluatedKey } = await callStore((options) => client.send(command, options));
    if (Items === undefined) throw unproven();
    yield* Items;
    last = LastEvaluatedKey;
  } while (last !== undefined);
}
