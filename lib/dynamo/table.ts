import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { physicalTableName, type TableName } from "./tables.ts";

/** A table as stores and registers hold it: the client that reaches it, and its name in the account. */
export interface Table {
  readonly client: DynamoDBClient;
  readonly name: string;
}

/** The tables of a stage, reached through one client. */
export const tablesOf =
  (client: DynamoDBClient, stage: string): ((table: TableName) => Table) =>
  (table) => ({ client, name: physicalTableName(stage, table) });
