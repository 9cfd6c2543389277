import { type DynamoDBClient, ScanCommand, type ScanCommandInput } from "@aws-sdk/client-dynamodb";
import { callStore } from "./client.ts";
import type { Item } from "./item.ts";
import { unproven } from "./proven.ts";

/**
 * Every item of a table, or those that a filter leaves, as of every write that has been answered, in no order. For
 * operators: it reads the whole table.
 *
 * @throws {Failure} `temporarily_unavailable` when the store does not answer, or with something that shows nothing.
 */
export async function* scan(client: DynamoDBClient, question: ScanCommandInput): AsyncGenerator<Item> {
  let last: ScanCommandInput["ExclusiveStartKey"];
  do {
    const command = new ScanCommand({ ...question, ConsistentRead: true, ExclusiveStartKey: last });
    const { Items, LastEvaluatedKey } = await callStore(() => client.send(command));
    if (Items === undefined) throw unproven();
    yield* Items;
    last = LastEvaluatedKey;
  } while (last !== undefined);
}
