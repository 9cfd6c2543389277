import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LOCAL_REGION } from "../local-account.ts";
import { StartError } from "../start-error.ts";
import { clientLimits } from "./client-limits.ts";
import { dataNames } from "./data-files.ts";
import {
  describeHolder,
  forgetHolder,
  type Holder,
  type HolderKind,
  isElsewhere,
  readHolder,
  tryLock,
  writeHolder,
} from "./data-lock.ts";
import { diskFull, isDiskFull } from "./full-disk.ts";
import type { Identity } from "./identity.ts";
import { inDataDirectory, makeDirectory } from "./in-data-directory.ts";
import { requireOurs } from "./own-directory.ts";
import { plainBehaviour, type StoreBehaviour } from "./store-behaviour.ts";

/** What the store's thread is given: where its engine is, and the access key of whoever may do everything. */
export interface EngineSettings {
  /** The files of the embedded engine, or the address of another one. */
  readonly engine: { readonly path: string } | { readonly endpoint: string };
  readonly accessKeyId: string;
  readonly behaviour: StoreBehaviour;
}

/** The first message of the store's thread. */
export interface ListeningMessage {
  readonly endpoint: string;
}

/** Later ones say that somebody was admitted, or that nothing can be written any more. */
export type LaterMessage = "admitted" | "disk full";

export type EngineRequest =
  | { readonly kind: "admit"; readonly identity: Identity }
  | { readonly kind: "stir" }
  | { readonly kind: "close" };

/** How often a command looks whether another one has left the data directory. */
const RETRY_MS = 200;
/** How long a process may hold the lock without having written who it is. */
const NAMELESS_MS_MAX = 15_000;

/** Where a store answers, and the access key that opens it: a random one in each start. */
export interface StoreAddress {
  readonly endpoint: string;
  readonly accessKeyId: string;
}

export interface Store extends StoreAddress {
  /** Whether this process runs the store, and with its end nobody does. */
  readonly owned: boolean;
  close(): Promise<void>;
}

/** A store that this process runs. */
export interface OwnStore extends Store {
  /** Makes somebody known to the store, from the next request on. */
  admit(identity: Identity): Promise<void>;
  /** Lets the store throttle and lose answers as it was told to, from one of the next requests on. It begins calm. */
  stir(): void;
}

export interface OpenOptions {
  /** What this process is to others that find the directory in use: a gateway can be shared, a command is waited for. */
  readonly kind?: HolderKind;
  /** Another engine than the embedded one; the data directory is still held by one process only. */
  readonly endpoint?: string;
  /** What the store does beyond the engine; nothing unless given. */
  readonly behaviour?: StoreBehaviour;
  /** Told once when nothing can be written any more, after everybody who waits for an answer was. */
  readonly onBroken?: (reason: StartError) => void;
}

export interface ShareOptions extends Pick<OpenOptions, "endpoint"> {
  /** Receives a line for the person who waits. */
  readonly report: (line: string) => void;
}

/** The data directory is in use, and this process cannot share it. The message says by whom, and what to do. */
export class DataDirectoryInUse extends StartError {
  override readonly name = "DataDirectoryInUse";
}

/**
 * Opens the store of a data directory. One process at a time holds the directory, by a lock of the operating system
 * that ends with the process however it ends. A directory that is held is an error.
 */
export const openStore = (dataDir: string, options: OpenOptions = {}): Promise<OwnStore> =>
  untilHeld<never>(dataDir, options, (holder) => {
    if (holder !== undefined) throw inUse(dataDir, holder);
    return undefined;
  });

/**
 * Opens the store of a data directory for a command. Where a gateway runs on the directory, its store is used; another
 * command is waited for, since its store goes away with it.
 */
export function shareStore(dataDir: string, { endpoint, report }: ShareOptions): Promise<Store> {
  let isReported = false;
  const options: OpenOptions = { kind: "command", ...(endpoint && { endpoint }) };
  return untilHeld<Store>(dataDir, options, (holder) => {
    if (holder?.kind === "gateway") return sharedStore(dataDir, holder);
    if (holder !== undefined && !isReported)
      report(`Waiting for ${describeHolder(holder)} to leave ${dataDir} …`);
    isReported ||= holder !== undefined;
    return undefined;
  });
}

/** The store of a gateway, which answers programs of its own machine alone. */
function sharedStore(dataDir: string, holder: Holder): Store {
  if (isElsewhere(holder)) throw inUse(dataDir, holder);
  const { endpoint, accessKeyId } = holder;
  return { endpoint, accessKeyId, owned: false, close: async () => {} };
}

/** Tries to hold a directory until it succeeds, or until whoever holds it turns out to be of use, or an error. */
async function untilHeld<Shared>(
  dataDir: string,
  options: OpenOptions,
  meet: (holder: Holder | undefined) => Shared | undefined,
): Promise<OwnStore | Shared> {
  await requireOurs(dataDir);
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    const release = await tryLock(dataDir);
    if (release !== undefined) return ownStore(dataDir, options, release);
    const holder = await readHolder(dataDir);
    const shared = meet(holder);
    if (shared !== undefined) return shared;
    if (holder === undefined && waitedMs >= NAMELESS_MS_MAX) throw inUse(dataDir, holder);
    await sleep(RETRY_MS);
  }
}

const storePath = (dataDir: string): string => join(dataDir, dataNames.store);

async function makeStorePath(dataDir: string): Promise<string> {
  const path = storePath(dataDir);
  await inDataDirectory(dataDir, () => makeDirectory(path));
  await requireWhole(path);
  return path;
}

/** LevelDB takes files without its `CURRENT` for no store, and removes them: a copy that is not whole would be lost. */
async function requireWhole(path: string): Promise<void> {
  const names = await readdir(path);
  if (names.includes("CURRENT") || !names.some((name) => /\.(?:ldb|log|sst)$/.test(name))) return;
  throw unusable({ path }, new Error("its file CURRENT is missing"));
}

/** Whether a data directory has a store of its own. */
export const hasStore = async (dataDir: string): Promise<boolean> =>
  (await stat(storePath(dataDir)).catch(() => undefined))?.isDirectory() === true;

/** A client of a local store, for whoever may do everything there. */
export function createLocalClient({ endpoint, accessKeyId }: StoreAddress): DynamoDBClient {
  const credentials = { accessKeyId, secretAccessKey: accessKeyId };
  return new DynamoDBClient({ endpoint, region: LOCAL_REGION, credentials, requestHandler: clientLimits });
}

function inUse(dataDir: string, holder: Holder | undefined): DataDirectoryInUse {
  return new DataDirectoryInUse(
    `${dataDir} is in use by ${describeHolder(holder)}. Stop it, or name another directory with --data.`,
  );
}

async function ownStore(
  dataDir: string,
  { kind = "gateway", endpoint, behaviour = plainBehaviour, onBroken }: OpenOptions,
  release: () => Promise<void>,
): Promise<OwnStore> {
  try {
    // A process that was killed has left its name behind.
    await forgetHolder(dataDir);
    const engine = endpoint === undefined ? { path: await makeStorePath(dataDir) } : { endpoint };
    const store = await startStore(engine, behaviour, () => onBroken?.(diskFull(dataDir)));
    const { accessKeyId } = store;
    await writeHolder(dataDir, { kind, endpoint: store.endpoint, accessKeyId });
    const close = async (): Promise<void> => {
      await forgetHolder(dataDir);
      await store.close();
      await release();
    };
    return { ...store, close };
  } catch (error) {
    await release();
    throw error;
  }
}

function unusable(engine: EngineSettings["engine"], error: Error): StartError {
  if ("path" in engine && isDiskFull(error)) return diskFull(dirname(engine.path), error);
  const { message } = error.cause instanceof Error ? error.cause : error;
  const complaint =
    "path" in engine
      ? `The store in ${engine.path} cannot be read (${message}). Start once with --fresh to begin with an empty one.`
      : `The DynamoDB at ${engine.endpoint} does not answer (${message}). Check that it is running (--dynamodb-endpoint, DYNAMODB_ENDPOINT).`;
  return new StartError(complaint, { cause: error });
}

/** A word that nobody guesses, in the form of the access keys that roles get. */
export const randomAccessKeyId = (): string => `ASIA${randomBytes(20).toString("hex").toUpperCase()}`;

/** Starts a store in a thread. If it breaks later, the error surfaces as the process's own. */
async function startStore(
  engine: EngineSettings["engine"],
  behaviour: StoreBehaviour,
  onDiskFull: () => void,
): Promise<OwnStore> {
  const accessKeyId = randomAccessKeyId();
  const worker = new Worker(new URL("./engine-worker.ts", import.meta.url), {
    name: "dynamodb",
    workerData: { engine, accessKeyId, behaviour } satisfies EngineSettings,
    env: { AWS_REGION: LOCAL_REGION },
    execArgv: [],
  });
  const [{ endpoint }] = (await once(worker, "message").catch((error: Error) => {
    throw unusable(engine, error);
  })) as [ListeningMessage];
  worker.on("message", (message: LaterMessage) => {
    if (message === "disk full") onDiskFull();
  });
  const ask = (request: EngineRequest): void => worker.postMessage(request);
  const admit = async (identity: Identity): Promise<void> => {
    const admitted = once(worker, "message");
    ask({ kind: "admit", identity });
    await admitted;
  };
  const close = async (): Promise<void> => {
    const exited = once(worker, "exit");
    ask({ kind: "close" });
    await exited;
  };
  return { endpoint, accessKeyId, owned: true, admit, stir: () => ask({ kind: "stir" }), close };
}
