import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import {
  type AttributeDefinition,
  CreateTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import {
  type KeySchema,
  physicalTableName,
  type TableName,
  type TableSchema,
  tables,
} from "../../lib/dynamo/tables.ts";

/** The engines that stand in for the real store: one in this process, one as a program of its own. */
export type EngineKind = "dynalite" | "dynoxide";

export interface Engine {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  /** The name under which a table was created. */
  tableName(table: TableName): string;
  close(): Promise<void>;
}

const STAGE = "test";
const dynoxidePath = findDynoxide();

/** The engines that can be started on this machine. */
export const installedEngines: readonly EngineKind[] =
  dynoxidePath === undefined ? ["dynalite"] : ["dynalite", "dynoxide"];

/** Starts an empty engine in memory with every table of the project, on a port of its own. */
export async function startEngine(kind: EngineKind): Promise<Engine> {
  const { port, stop } = kind === "dynalite" ? await startDynalite() : await startDynoxide();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({
    endpoint,
    region: "local",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const names = Object.keys(tables) as TableName[];
  for (const name of names) await client.send(createTable(name));
  // An engine may take a moment over a table even when told to take none.
  for (const name of names) {
    await waitUntilTableExists(
      { client, minDelay: 0.01, maxDelay: 0.1, maxWaitTime: 10 },
      { TableName: physicalTableName(STAGE, name) },
    );
  }
  const close = async () => {
    client.destroy();
    await stop();
  };
  return { endpoint, client, tableName: (table) => physicalTableName(STAGE, table), close };
}

interface Started {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

async function startDynalite(): Promise<Started> {
  const server = dynalite({ createTableMs: 0 });
  const port = await listen(server);
  return { port, stop: () => close(server) };
}

async function startDynoxide(): Promise<Started> {
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
  return { port, stop };
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

function createTable(name: TableName): CreateTableCommand {
  const schema: TableSchema = tables[name];
  const attributes = new Map<string, AttributeDefinition>();
  for (const { partition, sort } of [schema, ...schema.indexes]) {
    for (const part of sort === undefined ? [partition] : [partition, sort]) {
      attributes.set(part.name, { AttributeName: part.name, AttributeType: part.type });
    }
  }
  const indexes = schema.indexes.map((index) => ({
    IndexName: index.name,
    KeySchema: keySchema(index),
    Projection: { ProjectionType: index.projection === "all" ? ("ALL" as const) : ("KEYS_ONLY" as const) },
  }));
  return new CreateTableCommand({
    TableName: physicalTableName(STAGE, name),
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keySchema(schema),
    AttributeDefinitions: [...attributes.values()],
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
  });
}

const keySchema = ({ partition, sort }: KeySchema) => [
  { AttributeName: partition.name, KeyType: "HASH" as const },
  ...(sort === undefined ? [] : [{ AttributeName: sort.name, KeyType: "RANGE" as const }]),
];

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}

/** A port that nobody listens on. The engine cannot choose one and tell. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
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
