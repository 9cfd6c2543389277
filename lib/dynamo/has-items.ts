import { QueryCommand } from "@aws-sdk/client-dynamodb";
import { callStore } from "./client.ts";
import { unproven } from "./proven.ts";
import type { Table } from "./table.ts";

/** A partition of a table: the name of its partition key, and the text there. */
export interface Partition {
  readonly name: string;
  readonly value: string;
}

/**
 * Whether a partition of a table holds any item, as of every write that has been answered.
 *
 * @throws {Failure} `temporarily_unavailable` when the store does not answer.
 */
export async function hasItems(table: Table, { name, value }: Partition): Promise<boolean> {
  const command = new QueryCommand({
    TableName: table.name,
    KeyConditionExpression: "#partition = :value",
    ExpressionAttributeNames: { "#partition": name },
    ExpressionAttributeValues: { ":value": { S: value } },
    ConsistentRead: true,
    Select: "COUNT",
    Limit: 1,
  });
  const { Count } = await callStore((options) => table.client.send(command, options));
  if (Count === undefined) throw unproven();
  return Count > 0;
}
