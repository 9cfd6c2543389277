import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ClockShift } from "../clock/clock-shift.ts";
import { StartError } from "../process/start-error.ts";
import type { WireItem } from "./behaviour/touched-items.ts";
import { CallLedger } from "./call-ledger.ts";
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
import { inDataDirectory, makeDirectory } from "./in-data-directory.ts";
import { LOCAL_REGION } from "./local-account.ts";
import { namingSigner } from "./naming-signer.ts";
import { requireOurs } from "./own-directory.ts";
import { plainBehaviour, type StoreBehaviour } from "./store-behaviour.ts";
import type { FaultyIdentity } from "./store-fault.ts";
import { takeStoreThread } from "./store-thread.ts";

/** The first message to the store's thread: the place of its engine, the owner's access key, and the store's behaviour. */
export interface EngineSettings {
  /** The directory of the embedded engine's files, no directory for one in memory, or the address of another engine. */
  readonly engine: { readonly path: string | undefined } | { readonly endpoint: string };
  readonly accessKeyId: string;
  readonly behaviour: StoreBehaviour;
  /** The memory of a `ClockShift`: how far the service's time, by which items expire, is from the machine's. */
  readonly clockShift: SharedArrayBuffer | undefined;
  /** Where the thread tells of calls, for a `CallLedger`. */
  readonly calls: MessagePort;
}

/** The first message of the store's thread. */
export interface ListeningMessage {
  readonly endpoint: string;
}

/** The answer to a request that has one, with its id. */
interface EngineAnswer {
  readonly id: number;
  /** How many writes the owner has sent since the start. */
  readonly ownerWrites: number;
}

/** Any later message: an answer, or the disk is full and nothing can be written any more. */
export type LaterMessage = EngineAnswer | "disk full";

/** A request that has an answer. */
export type EngineQuestion =
  | { readonly kind: "admit"; readonly identity: FaultyIdentity }
  | { readonly kind: "count" }
  | { readonly kind: "fill"; readonly table: string; readonly items: readonly WireItem[] };

export type EngineRequest =
  | (EngineQuestion & { readonly id: number })
  | { readonly kind: "stir" | "rest" | "close" };

/** How often a process tries again to take a data directory that is in use. */
const RETRY_MS = 200;
/** How long a process may hold the lock before it has written its holder file. */
const NAMELESS_MS_MAX = 15_000;

/** The address of a store, and the owner's access key: a random one in each start. */
export interface StoreAddress {
  readonly endpoint: string;
  readonly accessKeyId: string;
}

export interface Store extends StoreAddress {
  /** Whether this process runs the store, so that the store ends with the process. */
  readonly owned: boolean;
  close(): Promise<void>;
}

/** A store that this process runs. */
export interface OwnStore extends Store {
  /** Makes a caller known to the store, or replaces what is known of one, from the next request on. */
  admit(identity: FaultyIdentity): Promise<void>;
  /** The calls of execution environments. */
  readonly calls: CallLedger;
  /** How many writes have come with the owner's access key since the start: those of operators, not of functions. */
  ownerWrites(): Promise<number>;
  /**
   * Puts items into a table without indexes, past the store's rules and in a fraction of the time. Nobody else may write
   * there meanwhile. Only for what {@link isFillable} says.
   */
  readonly fill: (table: string, items: readonly WireItem[]) => Promise<void>;
  /** Lets the store throttle and lose answers as its behaviour says, from one of the next requests on, never before. */
  stir(): void;
  /** Lets the store give back the memory that only a start needs. */
  readonly rest: () => void;
}

export interface OpenOptions {
  /** How others treat this process while it holds the directory: they use a gateway's store, and wait for a command. */
  readonly kind?: HolderKind;
  /** The address of an engine other than the embedded one. Still only one process holds the data directory. */
  readonly endpoint?: string;
  /** The store's behaviour beyond the engine's; `plainBehaviour` unless given. */
  readonly behaviour?: StoreBehaviour;
  /** How far the service's time, by which items expire, is from the machine's; not at all unless given. */
  readonly clockShift?: ClockShift | undefined;
  /** Called once when the disk is full, after every waiting request has its answer. */
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
 * Opens the store of a data directory. One process at a time holds the directory, by a lock that the operating system
 * releases when the process ends, however it ends. Throws a `DataDirectoryInUse` when another process holds it.
 */
export const openStore = (dataDir: string, options: OpenOptions = {}): Promise<OwnStore> =>
  untilHeld<never>(dataDir, options, (holder) => {
    if (holder !== undefined) throw inUse(dataDir, holder);
    return undefined;
  });

/**
 * Opens the store of a data directory for a command. When a gateway holds the directory, the command uses its store.
 * When another command does, this one waits for it to end, because a command's store ends with it.
 */
export function shareStore(dataDir: string, { endpoint, report }: ShareOptions): Promise<Store> {
  let isReported = false;
  const options: OpenOptions = { kind: "command", ...(endpoint !== undefined && { endpoint }) };
  return untilHeld<Store>(dataDir, options, (holder) => {
    if (holder?.kind === "gateway") return sharedStore(dataDir, holder);
    if (holder !== undefined && !isReported)
      report(`Waiting for ${describeHolder(holder)} to leave ${dataDir} …`);
    isReported ||= holder !== undefined;
    return undefined;
  });
}

/** The store of a gateway. Throws when the gateway runs elsewhere, because a store answers only its own machine. */
function sharedStore(dataDir: string, holder: Holder): Store {
  if (isElsewhere(holder)) throw inUse(dataDir, holder);
  const { endpoint, accessKeyId } = holder;
  return { endpoint, accessKeyId, owned: false, close: async () => {} };
}

/** Tries to take a directory until it succeeds, or until `meet` throws or returns a store that the holder shares. */
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

/** Refuses an incomplete copy of a store: LevelDB would delete its files when they lack `CURRENT`. */
async function requireWhole(path: string): Promise<void> {
  const names = await readdir(path);
  if (names.includes("CURRENT") || !names.some((name) => /\.(?:ldb|log|sst)$/.test(name))) return;
  throw unusable({ path }, new Error("its file CURRENT is missing"));
}

/** Whether a store can be filled: the embedded engine can, without copies that lag behind it. */
export const isFillable = ({ endpoint, behaviour = plainBehaviour }: OpenOptions): boolean =>
  endpoint === undefined && behaviour.indexLagMs === 0 && behaviour.eventualLagMs === 0;

/** Whether a data directory contains a store. */
export const hasStore = async (dataDir: string): Promise<boolean> =>
  (await stat(storePath(dataDir)).catch(() => undefined))?.isDirectory() === true;

/** A client of a local store, with the owner's permissions. */
export const createLocalClient = ({ endpoint, accessKeyId }: StoreAddress): DynamoDBClient =>
  new DynamoDBClient({
    endpoint,
    region: LOCAL_REGION,
    credentials: { accessKeyId, secretAccessKey: accessKeyId },
    signer: namingSigner(accessKeyId),
    requestHandler: clientLimits,
  });

function inUse(dataDir: string, holder: Holder | undefined): DataDirectoryInUse {
  return new DataDirectoryInUse(
    `${dataDir} is in use by ${describeHolder(holder)}. Stop it, or name another directory with --data.`,
  );
}

async function ownStore(
  dataDir: string,
  { kind = "gateway", endpoint, behaviour = plainBehaviour, clockShift, onBroken }: OpenOptions,
  release: () => Promise<void>,
): Promise<OwnStore> {
  try {
    // A killed process leaves its holder file behind.
    await forgetHolder(dataDir);
    const engine = endpoint === undefined ? { path: await makeStorePath(dataDir) } : { endpoint };
    const store = await startStore(engine, { behaviour, clockShift }, () => onBroken?.(diskFull(dataDir)));
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

/** Starts an embedded engine in memory, behind the store's rules; it ends with the process. */
export const openScratchStore = (): Promise<OwnStore> => startStore({ path: undefined }, {}, () => {});

function unusable(engine: EngineSettings["engine"], error: Error): StartError {
  if ("path" in engine && engine.path !== undefined && isDiskFull(error))
    return diskFull(dirname(engine.path), error);
  const { message } = error.cause instanceof Error ? error.cause : error;
  const complaint =
    "path" in engine
      ? `The store in ${engine.path} cannot be read (${message}). Start once with --fresh to begin with an empty one.`
      : `The DynamoDB at ${engine.endpoint} does not answer (${message}). Check that it is running (--dynamodb-endpoint, DYNAMODB_ENDPOINT).`;
  return new StartError(complaint, { cause: error });
}

/** A random access key, in the form of those that roles get. */
export const randomAccessKeyId = (): string => `ASIA${randomBytes(20).toString("hex").toUpperCase()}`;

/** Starts a store in a thread. If the store fails later, its error is an uncaught error of this process. */
async function startStore(
  engine: EngineSettings["engine"],
  { behaviour = plainBehaviour, clockShift }: Pick<OpenOptions, "behaviour" | "clockShift">,
  onDiskFull: () => void,
): Promise<OwnStore> {
  const accessKeyId = randomAccessKeyId();
  const channel = new MessageChannel();
  const worker = takeStoreThread();
  const calls = channel.port2;
  const settings: EngineSettings = { engine, accessKeyId, behaviour, clockShift: clockShift?.memory, calls };
  worker.postMessage(settings, [calls]);
  const [{ endpoint }] = (await once(worker, "message").catch((error: Error) => {
    throw unusable(engine, error);
  })) as [ListeningMessage];
  const waiting = new Map<number, (ownerWrites: number) => void>();
  let asked = 0;
  worker.on("message", (message: LaterMessage) => {
    if (message === "disk full") onDiskFull();
    else {
      waiting.get(message.id)?.(message.ownerWrites);
      waiting.delete(message.id);
    }
  });
  const tell = (request: EngineRequest): void => worker.postMessage(request);
  const ask = (question: EngineQuestion): Promise<number> =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      tell({ ...question, id: asked });
    });
  return {
    endpoint,
    accessKeyId,
    owned: true,
    admit: async (identity) => void (await ask({ kind: "admit", identity })),
    calls: new CallLedger(channel.port1),
    ownerWrites: () => ask({ kind: "count" }),
    fill: async (table, items) => void (await ask({ kind: "fill", table, items })),
    stir: () => tell({ kind: "stir" }),
    rest: () => tell({ kind: "rest" }),
    close: async () => {
      const exited = once(worker, "exit");
      tell({ kind: "close" });
      await exited;
    },
  };
}
