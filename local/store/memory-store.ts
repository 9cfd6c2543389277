import { MessageChannel } from "node:worker_threads";
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../../lib/clock.ts";
import { CallLedger } from "./call-ledger.ts";
import { type EngineContent, openEmbeddedEngine, TARGET_PREFIX } from "./embedded-engine.ts";
import { type OwnStore, randomAccessKeyId } from "./engine.ts";
import { ownerIdentity } from "./identity.ts";
import { LOCAL_REGION } from "./local-account.ts";
import { namingSigner } from "./naming-signer.ts";
import { plainBehaviour } from "./store-behaviour.ts";
import { startStoreServer } from "./store-server.ts";
import { strictStore } from "./strict-store.ts";
import type { StoreHandler, StoreInput, StoreOperation } from "./wire.ts";

export interface MemoryStoreOptions {
  readonly clock: Clock;
  /** Receives the errors of the store itself. */
  readonly report: (error: unknown) => void;
}

/** A store in memory, with a client of its owner that needs no connection. */
export interface MemoryStore
  extends Pick<OwnStore, "endpoint" | "accessKeyId" | "admit" | "calls" | "close"> {
  readonly client: DynamoDBClient;
  readonly content: EngineContent;
}

/**
 * Opens an embedded engine in memory, behind the store's rules, in this thread. Opening one takes a few milliseconds,
 * so that a process may have many. For errors that the engine throws in callbacks, the process must pass its uncaught
 * errors to `failRequestUnderWay`.
 */
export async function openMemoryStore({ clock, report }: MemoryStoreOptions): Promise<MemoryStore> {
  const accessKeyId = randomAccessKeyId();
  const engine = openEmbeddedEngine(undefined, report);
  const handle = strictStore({ engine, behaviour: plainBehaviour, clock, random: Math.random });
  const told = new MessageChannel();
  const server = await startStoreServer({
    handle,
    identities: [ownerIdentity(accessKeyId)],
    report,
    tell: (call) => told.port2.postMessage(call),
    clock,
  });
  const client = directClient(handle);
  return {
    endpoint: server.endpoint,
    accessKeyId,
    admit: async (identity) => server.admit(identity),
    calls: new CallLedger(told.port1),
    client,
    content: engine.content,
    close: async () => {
      client.destroy();
      told.port1.close();
      await server.close();
      await engine.close();
    },
  };
}

/** The parts of the SDK's request that a store reads. */
interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const decoder = new TextDecoder();

/** A client of a store in this thread, with the owner's permissions: its calls take no way over a connection. */
export const directClient = (handle: StoreHandler): DynamoDBClient =>
  new DynamoDBClient({
    endpoint: "http://127.0.0.1",
    region: LOCAL_REGION,
    credentials: { accessKeyId: "owner", secretAccessKey: "owner" },
    signer: namingSigner("owner"),
    requestHandler: { handle: (request: SdkRequest) => answer(handle, request) } as NonNullable<
      DynamoDBClientConfig["requestHandler"]
    >,
  });

async function answer(handle: StoreHandler, { headers, body }: SdkRequest): Promise<object> {
  const target = headers["x-amz-target"] ?? "";
  const operation = target.slice(TARGET_PREFIX.length) as StoreOperation;
  const input = JSON.parse(decoder.decode(body)) as StoreInput;
  const { status, body: given } = await handle({ operation, input });
  const response = {
    statusCode: status,
    headers: { "content-type": "application/x-amz-json-1.0" },
    body: Buffer.from(JSON.stringify(given)),
  };
  return { response };
}
