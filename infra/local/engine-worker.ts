import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import dynalite from "dynalite";
import type { EngineMessage, EngineSettings } from "./engine.ts";
import { beginUse, endUse } from "./engine-repair.ts";

/** The embedded DynamoDB, in a thread of its own so that its work and the gateway's do not wait for each other. */
const { path } = workerData as EngineSettings;
await beginUse(path);
const server = dynalite({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });

// dynalite throws when a client goes away in the middle of a request, as a function does at its timeout.
const [handle] = server.listeners("request") as ((
  request: IncomingMessage,
  response: ServerResponse,
) => void)[];
server.removeAllListeners("request");
server.on("request", (request: IncomingMessage, response: ServerResponse) => {
  handle?.(request, response);
  request.removeAllListeners("error");
  request.on("error", () => response.destroy());
});

// A connection that a function keeps must not die between two requests.
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1");
await once(server, "listening");
parentPort?.postMessage({
  kind: "listening",
  port: (server.address() as AddressInfo).port,
} satisfies EngineMessage);

parentPort?.once("message", () => void close());

async function close(): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>();
  server.close(resolve);
  server.closeAllConnections();
  // What did not close in good order is mended at the next start.
  if (!(await closed)) await endUse(path);
  parentPort?.close();
}
