import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { systemClock } from "../../lib/clock.ts";
import { type Table, tablesOf } from "../../lib/dynamo/table.ts";
import { physicalTableName, type TableName } from "../../lib/dynamo/tables.ts";
import {
  type EngineContent,
  openEmbeddedEngine,
  type StoreEngine,
} from "../../local/store/embedded-engine.ts";
import { engineAt } from "../../local/store/engine-at.ts";
import { type Identity, ownerIdentity } from "../../local/store/identity.ts";
import { directClient, openMemoryStore } from "../../local/store/memory-store.ts";
import type { EngineKind } from "../../local/store/rules/rule.ts";
import { plainBehaviour } from "../../local/store/store-behaviour.ts";
import { startStoreServer } from "../../local/store/store-server.ts";
import { strictStore } from "../../local/store/strict-store.ts";
import { createTables } from "../../local/store/tables.ts";
import type { StoreHandler } from "../../local/store/wire.ts";
import { stageTables } from "../../ops/store/local-tables.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";

export type { EngineKind } from "../../local/store/rules/rule.ts";

/** A store of a test: one of the engines, held to DynamoDB's rules as `npm start` holds it. */
export interface Engine {
  /** The store's address; it accepts the access key `local`. */
  readonly endpoint: string;
  /** The address of the engine itself, without the rules. */
  readonly rawEndpoint: string;
  /** Asks the engine itself, without the rules: dynalite without a connection. */
  readonly askRaw: StoreHandler;
  readonly client: DynamoDBClient;
  /** The name under which a table was created. */
  tableName(table: TableName): string;
  /** The table as stores and registers take it. */
  table(name: TableName): Table;
  /** Moves the store's clock on until every write is visible to every read. */
  settle(): void;
  /** Makes a caller known who may do less than everything. */
  admit(identity: Identity): void;
  close(): Promise<void>;
}

const STAGE = "test";
const dynoxidePath = findDynoxide();

/** The engines that can be started on this machine. */
export const installedEngines: readonly EngineKind[] =
  dynoxidePath === undefined ? ["dynalite"] : ["dynalite", "dynoxide"];

/**
 * A store that a guarantee is tested on: an engine, or the one nearest to DynamoDB with the lag that DynamoDB may have.
 */
export type StoreKind = EngineKind | "a store that lags";

/** Every kind of store that a guarantee must hold on. */
export const testedStores: readonly StoreKind[] = [...installedEngines, "a store that lags"];

/** The store for what does not depend on the store: the quickest. */
export const plainStore: EngineKind = installedEngines.at(-1) ?? "dynalite";

/** DynamoDB states no bound; an index "typically" lags by less than a second. */
const LAGGING = { ...plainBehaviour, indexLagMs: 1_000, eventualLagMs: 500 };

/** Starts an empty store in memory with every table of the project, on a port of its own. */
export async function startEngine(kind: StoreKind): Promise<Engine> {
  const raw = await startRawEngine(
    kind === "a store that lags" ? (installedEngines.at(-1) ?? "dynalite") : kind,
  );
  const behaviour = kind === "a store that lags" ? LAGGING : plainBehaviour;
  let aheadMs = 0;
  const clock = () => systemClock() + aheadMs;
  const handle = strictStore({ engine: raw, behaviour, clock, random: Math.random });
  const store = await startStoreServer({
    handle,
    identities: [ownerIdentity("local")],
    report: (error) => console.error(error),
  });
  const client = directClient(handle);
  await createTables(client, stageTables(STAGE));
  const close = async () => {
    client.destroy();
    await store.close();
    await raw.close();
  };
  return {
    endpoint: store.endpoint,
    rawEndpoint: raw.endpoint,
    askRaw: raw.handle,
    client,
    tableName: (table) => physicalTableName(STAGE, table),
    table: tablesOf(client, STAGE),
    settle: () => {
      aheadMs += LAGGING.indexLagMs;
    },
    admit: (identity) => store.admit(identity),
    close,
  };
}

/** A store that answers without a port, and can be emptied at once. */
export interface NearStore extends Pick<Engine, "client" | "tableName" | "table" | "close"> {
  empty(): Promise<void>;
  /** Everything that the engine keeps, at once, and puts that back later: no call for each table, index or record. */
  readonly content: Pick<EngineContent, "read" | "replace">;
  readonly fill: EngineContent["fill"];
}

/**
 * Opens dynalite in memory with every table of the project, held to the same rules. A call costs a third of what it costs
 * over HTTP, for statements that make thousands of them.
 */
export async function openNearStore(): Promise<NearStore> {
  const { client, content, close } = await openMemoryStore({
    clock: systemClock,
    report: (error) => console.error(error),
  });
  await createTables(client, stageTables(STAGE));
  const emptyTables = await content.read();
  return {
    client,
    tableName: (table) => physicalTableName(STAGE, table),
    table: tablesOf(client, STAGE),
    empty: () => content.replace(emptyTables),
    content,
    fill: content.fill,
    close,
  };
}

/** An engine without the rules. */
export interface RawEngine extends StoreEngine {
  readonly endpoint: string;
}

/** Starts an engine without the rules, empty and in memory, on a port of its own. */
export async function startRawEngine(kind: EngineKind): Promise<RawEngine> {
  return kind === "dynalite" ? await startDynalite() : await startDynoxide();
}

const endpointAt = (port: number): string => `http://127.0.0.1:${port}`;

/** Calls from this process take no way over a connection. */
async function startDynalite(): Promise<RawEngine> {
  const engine = openEmbeddedEngine();
  const { handle } = engine;
  const server = await startStoreServer({
    handle,
    identities: [ownerIdentity("local")],
    report: (error) => console.error(error),
  });
  return { endpoint: server.endpoint, handle, close: () => server.close().then(engine.close) };
}

async function startDynoxide(): Promise<RawEngine> {
  if (dynoxidePath === undefined) throw new Error("The dynoxide engine is not installed for this machine.");
  const port = await freePort();
  const engine = spawn(dynoxidePath, ["serve", "--port", String(port)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  await saysListening(engine);
  const stop = async () => {
    const exited = once(engine, "exit");
    engine.kill("SIGKILL");
    await exited;
  };
  const endpoint = endpointAt(port);
  const { handle, close } = engineAt(endpoint);
  return { endpoint, handle, close: () => close().then(stop) };
}

async function saysListening(engine: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  engine.once("error", reject);
  engine.once("exit", (code) =>
    reject(new Error(`The dynoxide engine ended at its start with code ${code}.`)),
  );
  for (const stream of [engine.stdout, engine.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => line.includes("listening on") && resolve());
  }
  await promise;
}

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}

/** A free port. The engine cannot choose one itself and report it. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await close(server);
  return port;
}

function findDynoxide(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve("@dynoxide/linux-x64/package.json");
    return path.join(path.dirname(manifest), "dynoxide");
  } catch {
    return undefined;
  }
}
