import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import type { TableName } from "../../lib/dynamo/tables.ts";
import type { OperatorStore } from "../store/operator-store.ts";

/** The tables that hold records. */
export const recordTables = [
  "Transactions",
  "SellOrders",
  "Passes",
  "Trades",
] as const satisfies readonly TableName[];

type RecordTable = (typeof recordTables)[number];

/** What the store says of a table without reading it; DynamoDB brings it up to date about every six hours. */
export interface TableSize {
  readonly table: RecordTable;
  readonly items: number;
  readonly bytes: number;
}

/** The sizes of the tables with records, as the store last counted them. */
export const readTableSizes = ({ table }: Pick<OperatorStore, "table">): Promise<readonly TableSize[]> =>
  Promise.all(
    recordTables.map(async (name) => {
      const { client, name: TableName } = table(name);
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      return { table: name, items: Table?.ItemCount ?? 0, bytes: Table?.TableSizeBytes ?? 0 };
    }),
  );
