import { ClassicLevel } from "classic-level";
import { getIndexActions, type StoredTable } from "dynalite/db/index.js";

type Files = ClassicLevel<string, unknown>;

/** No key of dynalite's begins like this one. It is there while the files are in use, and stays when a process is killed. */
const IN_USE_KEY = "countinghouse in use";
/** How many index entries are written at once. */
const BATCH_ENTRIES = 1_000;

/** All keys that begin with a prefix; dynalite's consist of ASCII. */
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
 * Makes the files of an embedded engine ready for use, before the engine opens them, and mends what a process that was
 * killed has left half done. dynalite creates a table in two writes and stores an item in several, the indexes first:
 * without this, a table could stay "being created" for good, and a list could show a record that is not there.
 */
export const beginUse = (path: string): Promise<void> =>
  withFiles(path, async (files) => {
    const wasKilled = (await files.get(IN_USE_KEY)) !== undefined;
    if (wasKilled) await mend(files);
    await files.put(IN_USE_KEY, true);
  });

/** Says that the engine has closed its files in good order. */
export const endUse = (path: string): Promise<void> => withFiles(path, (files) => files.del(IN_USE_KEY));

async function mend(files: Files): Promise<void> {
  for (const [key, value] of await files.iterator(keysUnder("table~")).all()) {
    const table = value as StoredTable;
    // Nothing can be in it yet, and it is created again like any that is missing.
    if (table.TableStatus === "CREATING") await files.del(key);
    else await rebuildIndexes(files, table);
  }
}

/** Makes the indexes of a table anew from its items. */
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
