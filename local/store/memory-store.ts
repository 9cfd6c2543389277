import { MessageChannel } from "node:worker_threads";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../../lib/clock.ts";
import { CallLedger } from "./call-ledger.ts";
import { directClient } from "./direct-client.ts";
import { type EngineContent, openEmbeddedEngine } from "./embedded-engine.ts";
import { type OwnStore, randomAccessKeyId } from "./engine.ts";
import { ownerIdentity } from "./identity.ts";
import { plainBehaviour } from "./store-behaviour.ts";
import { startStoreServer } from "./store-server.ts";
import { strictStore } from "./strict-store.ts";

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
