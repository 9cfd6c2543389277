import { type TableName, tables } from "../../lib/dynamo/tables.ts";
import type { NearStore } from "./engine.ts";

const allTables = Object.keys(tables) as TableName[];

/** The name of the table in the key of an entry of the engine, an item's or an index's. */
const TABLE = /^(?:item-|index-[a-z]+~)([^~]+)~/;

/** Every item of some tables and every entry of their indexes, as the engine keeps them: one text each, in an order of its own. */
export async function storedItems(
  engine: Pick<NearStore, "content" | "tableName">,
  names: readonly TableName[] = allTables,
): Promise<readonly string[]> {
  const wanted = new Set(names.map((name) => engine.tableName(name)));
  const found: string[] = [];
  for (const [key, value] of await engine.content.read()) {
    const [, table = ""] = TABLE.exec(key.toString()) ?? [];
    if (!wanted.has(table)) continue;
    const item = JSON.parse(value.toString()) as object;
    const members = Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1));
    found.push(`${key.toString()} ${JSON.stringify(members)}`);
  }
  return found.sort();
}

/** The tables of records and settings: all but those that tell of operators' work. */
export const recordTables: readonly TableName[] = allTables.filter(
  (name) => name !== "Imports" && name !== "Audit",
);
