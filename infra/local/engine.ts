import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { forgetHolder, type Holder, type HolderKind, readHolder, tryLock, writeHolder } from "./data-lock.ts";
import { inDataDirectory, makeDirectory } from "./in-data-directory.ts";
import { LOCAL_REGION } from "./local-names.ts";
import { StartError } from "./start-error.ts";

export interface EngineSettings {
  readonly path: string;
}

export type EngineMessage = { readonly kind: "listening"; readonly port: number };

/** What every local engine is spoken to with. They are no secret: an emulator checks that there are some, not which. */
export const localCredentials = { accessKeyId: "local", secretAccessKey: "local" } as const;

/** How often a command looks whether another one has left the data directory. */
const RETRY_MS = 200;
/** How long a process may hold the lock without having written who it is. */
const NAMELESS_MS_MAX = 15_000;

export interface Store {
  /** Address that a DynamoDB client is given. */
  readonly endpoint: string;
  /** Whether this process runs the engine, and with its end nobody does. */
  readonly owned: boolean;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** What this process is to others that find the directory in use: a gateway can be shared, a command is waited for. */
  readonly kind?: HolderKind;
  /** Use the engine of the process that has the directory, instead of failing. */
  readonly share?: boolean;
  /** Another engine than the embedded one; the data directory is still held by one process only. */
  readonly endpoint?: string;
  /** Receives a line for the person who waits. */
  readonly report?: (line: string) => void;
}

/** The data directory is in use, and this process cannot share it. The message says by whom, and what to do. */
export class DataDirectoryInUse extends StartError {
  override readonly name = "DataDirectoryInUse";
}

/**
 * Opens the store of a data directory. One process at a time holds the directory, by a lock of the operating system
 * that ends with the process however it ends. Sharing means: a running gateway's engine is used; a command that holds
 * the directory is waited for, since its engine goes away with it. Without `share`, a held directory is an error.
 */
export async function openStore(dataDir: string, options: OpenOptions = {}): Promise<Store> {
  let isReported = false;
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    const release = await tryLock(dataDir);
    if (release !== undefined) return ownStore(dataDir, options, release);
    const holder = await readHolder(dataDir);
    if (options.share === true && holder?.kind === "gateway")
      return { endpoint: holder.endpoint, owned: false, close: async () => {} };
    const isNameless = holder === undefined && waitedMs < NAMELESS_MS_MAX;
    if (!isNameless && !(options.share === true && holder !== undefined)) throw inUse(dataDir, holder);
    if (holder !== undefined && !isReported)
      options.report?.(`Waiting for another command (process ${holder.pid}) to leave ${dataDir} …`);
    isReported ||= holder !== undefined;
    await sleep(RETRY_MS);
  }
}

const storePath = (dataDir: string): string => join(dataDir, "dynamodb");

async function makeStorePath(dataDir: string): Promise<string> {
  const path = storePath(dataDir);
  await inDataDirectory(dataDir, () => makeDirectory(path));
  return path;
}

/** Whether a data directory has a store of its own. */
export const hasStore = async (dataDir: string): Promise<boolean> =>
  (await stat(storePath(dataDir)).catch(() => undefined))?.isDirectory() === true;

/** A client of a local engine. */
export function createLocalClient(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ endpoint, region: LOCAL_REGION, credentials: localCredentials });
}

function inUse(dataDir: string, holder: Holder | undefined): DataDirectoryInUse {
  const who = holder === undefined ? "another process" : `process ${holder.pid} (a ${holder.kind})`;
  return new DataDirectoryInUse(
    `${dataDir} is in use by ${who}. Stop it, or name another directory with --data.`,
  );
}

async function ownStore(
  dataDir: string,
  { kind = "gateway", endpoint }: OpenOptions,
  release: () => Promise<void>,
): Promise<Store> {
  try {
    // A process that was killed has left its name behind.
    await forgetHolder(dataDir);
    const engine =
      endpoint === undefined
        ? await startEngine(await makeStorePath(dataDir))
        : { endpoint, close: async () => {} };
    await writeHolder(dataDir, { pid: process.pid, kind, endpoint: engine.endpoint });
    const close = async (): Promise<void> => {
      await forgetHolder(dataDir);
      await engine.close();
      await release();
    };
    return { endpoint: engine.endpoint, owned: true, close };
  } catch (error) {
    await release();
    throw error;
  }
}

function unreadable(path: string, error: Error): StartError {
  const { message } = error.cause instanceof Error ? error.cause : error;
  const advice = "Start once with --fresh to begin with an empty one.";
  return new StartError(`The store in ${path} cannot be read (${message}). ${advice}`, { cause: error });
}

/** Starts the embedded engine in a thread. If it breaks later, the error surfaces as the process's own. */
async function startEngine(path: string): Promise<Pick<Store, "endpoint" | "close">> {
  const worker = new Worker(new URL("./engine-worker.ts", import.meta.url), {
    name: "dynamodb",
    workerData: { path } satisfies EngineSettings,
    env: { AWS_REGION: LOCAL_REGION },
    execArgv: [],
  });
  const [message] = (await once(worker, "message").catch((error: Error) => {
    throw unreadable(path, error);
  })) as [EngineMessage];
  const close = async (): Promise<void> => {
    const exited = once(worker, "exit");
    worker.postMessage("close");
    await exited;
  };
  return { endpoint: `http://127.0.0.1:${message.port}`, close };
}
