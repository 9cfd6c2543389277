import { QueryCommand, type QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { callStore } from "../../lib/dynamo/client.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { unproven } from "../../lib/dynamo/proven.ts";
import type { Table } from "../../lib/dynamo/table.ts";

/**
 * All items that a query finds, as of every write that has been answered.
 *
 * @throws {Failure} `temporarily_unavailable` when the store does not answer, or its answer proves nothing.
 */
export async function* queryAll(
  { client, name }: Table,
  query: Omit<QueryCommandInput, "TableName">,
): AsyncGenerator<Item> {
  let last: QueryCommandInput["ExclusiveStartKey"];
  do {
    const command = new QueryCommand({
      ...query,
      TableName: name,
      ConsistentRead: true,
      ExclusiveStartKey: last,
    });
    const { Items, LastEvaluatedKey } = await callStore(() => client.send(command));
    if (Items === undefined) throw unproven();
    yield* Items;
    last = LastEvaluatedKey;
  } while (last !== undefined);
}
