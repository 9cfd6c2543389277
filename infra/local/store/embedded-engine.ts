import { once } from "node:events";
import type { RequestListener } from "node:http";
import dynalite from "dynalite";
import inject from "light-my-request";
import { LOCAL_REGION } from "../local-names.ts";
import type { StoreAnswer, StoreHandler, StoreRequest } from "./wire.ts";

/** An engine that answers requests, until it is closed. */
export interface StoreEngine {
  readonly handle: StoreHandler;
  /** Resolves when everything is written and closed; rejects when that could not be done in good order. */
  readonly close: () => Promise<void>;
}

/** dynalite looks whether a request is signed, not by whom. */
export const UNVERIFIED_SIGNATURE = {
  authorization: `AWS4-HMAC-SHA256 Credential=local/20150810/${LOCAL_REGION}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
  "x-amz-date": "20150810T000000Z",
  "content-type": "application/x-amz-json-1.0",
} as const;

/** The header that names an operation of DynamoDB's API. */
export const TARGET_PREFIX = "DynamoDB_20120810.";

/**
 * The embedded engine: dynalite, with its files under `path`, or in memory without one. It listens nowhere, so that
 * nothing reaches it past the store in front of it.
 */
export function openEmbeddedEngine(path?: string): StoreEngine {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0, ...(path && { path }) });
  const [listener] = server.listeners("request") as RequestListener[];
  const handle = async ({ operation, input }: StoreRequest): Promise<StoreAnswer> => {
    const { statusCode, payload } = await inject(listener as RequestListener, {
      method: "POST",
      url: "/",
      headers: { ...UNVERIFIED_SIGNATURE, "x-amz-target": `${TARGET_PREFIX}${operation}` },
      payload: JSON.stringify(input),
    });
    return { status: statusCode, body: JSON.parse(payload) as StoreAnswer["body"] };
  };
  return { handle, close: () => closeEngine(server) };
}

/** dynalite closes its files once its server has closed, and a server that never listened cannot be closed. */
async function closeEngine(server: ReturnType<typeof dynalite>): Promise<void> {
  server.removeAllListeners("request");
  server.on("connection", (socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.close((error) => (error ? reject(error) : resolve()));
  await promise;
}
