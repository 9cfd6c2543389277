import { ClassicLevel } from "classic-level";
import { getIndexActions, type StoredTable } from "dynalite/db/index.js";

type Files = ClassicLevel<string, unknown>;

/** The key that marks files in use, and stays when a process is killed. No key of dynalite's begins like this one. */
const IN_USE_KEY = "countinghouse in use";
/** How many index entries are written at once. */
const BATCH_ENTRIES = 1_000;

/** The range of the keys that begin with a prefix; dynalite's keys are ASCII. */
const keysUnder = (prefix: string) => ({ gte: prefix, lt: `${prefix}\u{7f}` });

async function withFiles(path: string, act: (files: Files) => Promise<void>): Promise<void> {
  const files: Files = new ClassicLevel(path, { valueEncoding: "json" });
  await files.open();
  try {
    await act(files);
  } finally {
    await files.close();
  }
}

/**
 * Marks the files of an embedded engine as in use, before the engine opens them, and repairs what a killed process left
 * half done. dynalite creates a table in two writes, and stores an item in several, the indexes first. Without the
 * repair, a table could stay `CREATING` forever, and a list could show a record that does not exist.
 */
export const beginUse = (path: string): Promise<void> =>
  withFiles(path, async (files) => {
    const wasKilled = (await files.get(IN_USE_KEY)) !== undefined;
    if (wasKilled) await mend(files);
    await files.put(IN_USE_KEY, true);
  });

/** Removes the mark, once the engine has closed its files cleanly. */
export const endUse = (path: string): Promise<void> => withFiles(path, (files) => files.del(IN_USE_KEY));

async function mend(files: Files): Promise<void> {
  for (const [key, value] of await files.iterator(keysUnder("table~")).all()) {
    const table = value as StoredTable;
    // The table is still empty, and the start creates it again like any missing table.
    if (table.TableStatus === "CREATING") await files.del(key);
    else await rebuildIndexes(files, table);
  }
}

/** Rebuilds the indexes of a table from its items. */
async function rebuildIndexes(files: Files, table: StoredTable): Promise<void> {
  const indexes = table.GlobalSecondaryIndexes ?? [];
  const prefixOf = (index: string) => `index-global~${table.TableName}~${index}~`;
  for (const { IndexName } of indexes) await files.clear(keysUnder(prefixOf(IndexName)));
  let entries: { type: "put"; key: string; value: object }[] = [];
  for await (const item of files.values(keysUnder(`item-${table.TableName}~`))) {
    const { puts } = getIndexActions(indexes, undefined, item as object, table);
    for (const { index, key, item: value } of puts)
      entries.push({ type: "put", key: `${prefixOf(index)}${key}`, value });
    if (entries.length < BATCH_ENTRIES) continue;
    await files.batch(entries);
    entries = [];
  }
  await files.batch(entries);
}
