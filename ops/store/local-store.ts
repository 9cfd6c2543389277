import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Brand, contractBrand } from "../../lib/brand.ts";
import { tablesOf } from "../../lib/dynamo/table.ts";
import { readControlFile } from "../../local/control/control-file.ts";
import { commands } from "../../local/installation.ts";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { QueueJournal } from "../../local/queue/queue-journal.ts";
import { dropDeletedMessages } from "../../local/queue/queue-routes.ts";
import { readHolder } from "../../local/store/data-lock.ts";
import { dropDeletedBytes } from "../../local/store/drop-deleted-bytes.ts";
import { createLocalClient, hasStore, type Store, shareStore } from "../../local/store/engine.ts";
import { readStartNote } from "../../local/store/start-note.ts";
import { createTables } from "../../local/store/tables.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";
import { askControl } from "../control/ask-control.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { stageTables } from "./local-tables.ts";
import type { OperatorStore } from "./operator-store.ts";
import { environmentBrand, type StoreOptions, storeOption } from "./store-options.ts";

/** Whether a command needs an existing store, writes to one, or only reads and can do with an empty one. */
export type StoreNeed = "something to be there" | "a place to write" | "something to look at";

/** Works on a data directory, and turns each error into a line for the operator. */
async function inData<Result>(data: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The data directory ${data} cannot be opened: ${codeOf(error)}.`, error);
  }
}

/** @throws {OperatorError} when the data directory's records are not in the engine that would be opened. */
async function checkPlace({ data, dynamodbEndpoint }: StoreOptions, need: StoreNeed): Promise<void> {
  const isServed = (await readHolder(data))?.kind === "gateway";
  const { engineEndpoint } = (await readStartNote(data)) ?? {};
  if (isServed && dynamodbEndpoint !== undefined && dynamodbEndpoint !== engineEndpoint)
    throw new OperatorError(
      `The \`${commands.start}\` that runs on ${data} has its records elsewhere than at ${dynamodbEndpoint}. Leave out --dynamodb-endpoint (DYNAMODB_ENDPOINT) for its store, or name another directory with --data.`,
    );
  // A running gateway itself tells where its engine is.
  if (isServed || dynamodbEndpoint !== undefined) return;
  if (engineEndpoint !== undefined) {
    const way = `Give --dynamodb-endpoint ${engineEndpoint}, or run \`${commands.start}\` once without that option to keep records in ${data}`;
    throw new OperatorError(
      `The records of ${data} are in the DynamoDB at ${engineEndpoint}, as given to the last \`${commands.start}\`. ${way}.`,
    );
  }
  if (need !== "a place to write" && !(await hasStore(data)))
    throw new OperatorError(
      `There is no store in ${data}. Run \`${commands.start}\` once, or name the directory of a store with --data.`,
    );
}

const openEngine = ({ data, dynamodbEndpoint }: StoreOptions): Promise<Store> =>
  shareStore(data, {
    report: (line) => console.error(line),
    ...(dynamodbEndpoint !== undefined && { endpoint: dynamodbEndpoint }),
  });

/**
 * The brand of the local stage's documents. Each word comes from the environment variable that `npm start` reads, or else
 * from the last `npm start` on the data directory.
 */
export const localBrand = ({ data }: Pick<StoreOptions, "data">): Promise<Brand> =>
  inData(data, async () => environmentBrand((await readStartNote(data))?.brand ?? contractBrand));

/**
 * Opens the store of a data directory, through the engine of the gateway that is running on it or, without one, through
 * an engine of its own. Missing tables are created in a data directory, and elsewhere only for a command that writes. A
 * missing store is replaced by an
 * empty, temporary one for a command that only reads.
 */
export async function openLocalStore(
  options: StoreOptions,
  need: StoreNeed = "a place to write",
): Promise<OperatorStore> {
  if (need === "something to look at" && (await isMissing(options))) return await openEmptyStore(options);
  return await openOwnStore(options, need, () => console.error(`Made a new store in ${storeName(options)}.`));
}

async function openOwnStore(
  options: StoreOptions,
  need: StoreNeed,
  onNew: () => void,
): Promise<OperatorStore> {
  const { data } = options;
  const brand = await localBrand(options);
  const engine = await inData(data, async () => {
    await checkPlace(options, need);
    return await openEngine(options);
  });
  const client = createLocalClient(engine);
  const close = async () => {
    client.destroy();
    await engine.close();
  };
  try {
    // A running gateway creates its own tables; creating them here as well could collide with it. A store of an earlier
    // release lacks the tables that came later.
    const mayMake = need === "a place to write" || options.dynamodbEndpoint === undefined;
    const definitions = stageTables();
    if (engine.owned && mayMake && (await createTables(client, definitions)) === definitions.length) onNew();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    table: tablesOf(client, LOCAL_STAGE),
    brand,
    close,
    name: storeName(options),
    option: storeOption(options),
    ...(engine.owned && { heldData: data }),
    dropDeletedBytes: async () => {
      if (options.dynamodbEndpoint === undefined) await dropDeletedBytes(engine);
      await dropMessages(data, engine.owned);
    },
  };
}

/** Removes what is left of messages that are gone: from the file, or by the service that keeps it. */
async function dropMessages(data: string, isHeld: boolean): Promise<void> {
  if (isHeld) return await inData(data, async () => (await QueueJournal.open(data)).close());
  const [holder, address] = await Promise.all([readHolder(data), readControlFile(data)]);
  // A service that has just started has removed it.
  if (holder !== undefined && address?.pid === holder.pid) await askControl(data, dropDeletedMessages, {});
}

/** Whether the options name a data directory that has no store and that was never used with another engine. */
async function isMissing({ data, dynamodbEndpoint }: StoreOptions): Promise<boolean> {
  if (dynamodbEndpoint !== undefined || (await hasStore(data))) return false;
  return (await readStartNote(data))?.engineEndpoint === undefined;
}

/** An empty store in a temporary directory, which is removed when the store is closed. */
async function openEmptyStore(options: StoreOptions): Promise<OperatorStore> {
  const directory = await mkdtemp(join(tmpdir(), "countinghouse-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const store = await openOwnStore({ ...options, data: directory }, "a place to write", () => {});
    const close = async (): Promise<void> => {
      await store.close();
      await remove();
    };
    return {
      ...store,
      brand: await localBrand(options),
      name: storeName(options),
      option: storeOption(options),
      close,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The name of the store that the options choose, as messages show it. */
export const storeName = ({ data, dynamodbEndpoint }: StoreOptions): string =>
  terminalText(dynamodbEndpoint ?? data);
