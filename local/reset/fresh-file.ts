import { deserialize, serialize } from "node:v8";
import type { Item } from "../../lib/dynamo/item.ts";
import { dataNames } from "../store/data-files.ts";
import { readPrivateFile, writePrivateFile } from "../store/private-file.ts";

/** The items of each table that only operators write, by the table's name. */
export type ItemsOfTables = ReadonlyMap<string, readonly Item[]>;

/** Items that a first start has written, and the name of what it wrote: its day, records and settings. */
export interface KeptItems {
  readonly name: string;
  readonly items: ItemsOfTables;
}

/** Keeps the items for later resets, in place of those that are kept. */
export const writeFreshFile = (dataDir: string, kept: KeptItems): Promise<void> =>
  writePrivateFile(dataDir, dataNames.freshItems, serialize(kept).toString("base64"));

/** The items that are kept, or undefined when there are none that this version of Node.js can read. */
export async function readFreshFile(dataDir: string): Promise<KeptItems | undefined> {
  const text = await readPrivateFile(dataDir, dataNames.freshItems);
  if (text === undefined) return undefined;
  try {
    return deserialize(Buffer.from(text, "base64")) as KeptItems;
  } catch {
    return undefined;
  }
}
