import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { type TableName, type TableSchema, tables } from "../../lib/dynamo/tables.ts";
import type { Engine } from "./engine.ts";

const allTables = Object.keys(tables) as TableName[];

const bytesAsText = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;

/** Every item of some tables and of their indexes, one text each, in an order of its own. */
export async function storedItems(
  engine: Pick<Engine, "client" | "tableName">,
  names: readonly TableName[] = allTables,
): Promise<readonly string[]> {
  const places = names.flatMap((name) => [
    { TableName: engine.tableName(name) },
    ...(tables[name] as TableSchema).indexes.map((index) => ({
      TableName: engine.tableName(name),
      IndexName: index.name,
    })),
  ]);
  const found: string[] = [];
  for (const place of places) {
    const { Items = [], LastEvaluatedKey } = await engine.client.send(new ScanCommand(place));
    if (LastEvaluatedKey !== undefined) throw new Error("The table is larger than one page.");
    const name = `${place.TableName} ${"IndexName" in place ? place.IndexName : ""}`;
    for (const item of Items) {
      const members = Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1));
      found.push(`${name} ${JSON.stringify(members, bytesAsText)}`);
    }
  }
  return found.sort();
}

/** The tables of records and settings: all but those that tell of operators' work. */
export const recordTables: readonly TableName[] = allTables.filter(
  (name) => name !== "Imports" && name !== "Audit",
);
