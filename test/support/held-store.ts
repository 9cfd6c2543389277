import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "dynalite/db/index.js";
import { systemClock } from "../../lib/clock.ts";
import { type Table, tablesOf } from "../../lib/dynamo/table.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { dataNames } from "../../local/store/data-files.ts";
import { forgetHolder, tryLock, writeHolder } from "../../local/store/data-lock.ts";
import { type MemoryStore, openMemoryStore } from "../../local/store/memory-store.ts";
import { createTables } from "../../local/store/tables.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";
import { stageTables } from "../../ops/store/local-tables.ts";

/** A directory for a test's files, and in it a data directory with a store that this process holds. */
export interface HeldStore extends AsyncDisposable {
  readonly path: string;
  /** The data directory, as `--data` takes it. */
  readonly data: string;
  /** Everything that is stored. */
  readonly content: Pick<MemoryStore["content"], "read" | "replace">;
  /** A table of it, which is asked without a connection. */
  table(name: TableName): Table;
}

/**
 * Makes a data directory whose store is empty, in memory, and held by this process as a gateway holds it. A command on
 * it opens no engine of its own, which takes longer than most commands. Where the files of a store or its making
 * matter, a test gives its commands a directory that nobody holds.
 */
export async function heldStore(): Promise<HeldStore> {
  const path = await mkdtemp(join(tmpdir(), "countinghouse-"));
  const data = join(path, "data");
  await mkdir(join(data, dataNames.lock), { recursive: true });
  await mkdir(join(data, dataNames.store));
  const release = await tryLock(data);
  if (release === undefined) throw new Error(`${data} is in use.`);
  const store = await openEmptyStore();
  await writeHolder(data, { kind: "gateway", endpoint: store.endpoint, accessKeyId: store.accessKeyId });
  const end = async (): Promise<void> => {
    await forgetHolder(data);
    await store.close();
    await release();
    await rm(path, { recursive: true, force: true });
  };
  const table = tablesOf(store.client, LOCAL_STAGE);
  return { path, data, content: store.content, table, [Symbol.asyncDispose]: end };
}

/** The tables of the first store of this process, which are copied into the others. */
let tables: readonly Entry[] | undefined;

async function openEmptyStore(): Promise<MemoryStore> {
  const store = await openMemoryStore({ clock: systemClock, report: (error) => console.error(error) });
  if (tables !== undefined) await store.content.replace(tables);
  // Where the tables are there, this still says which attribute ends an item: a store keeps that beside its content.
  await createTables(store.client, stageTables());
  tables ??= await store.content.read();
  return store;
}
