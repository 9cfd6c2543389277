import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Brand } from "../../lib/brand.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";

/** An open store, local or deployed: what a command needs to work on it. */
export interface OperatorStore {
  readonly client: DynamoDBClient;
  /** The physical name of a table in this store. */
  readonly tableName: (table: TableName) => string;
  /** The brand that the stage's documents are written in. */
  readonly brand: Brand;
  /** How messages name the store. */
  readonly name: string;
  readonly close: () => Promise<void>;
}
