import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import inject from "light-my-request";
import { LOCAL_REGION } from "../local-account.ts";
import { isDiskFull } from "./full-disk.ts";
import { openMendedEngine } from "./mended-engine.ts";
import { asRequest } from "./request-under-way.ts";
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

/** What DynamoDB answers when it is at fault itself (API reference, Common errors). */
const INTERNAL_ERROR: StoreAnswer = {
  status: 500,
  body: {
    __type: "com.amazonaws.dynamodb.v20120810#InternalServerError",
    message: "The server encountered an internal error trying to fulfill the request.",
  },
};

/**
 * The embedded engine: dynalite, with its files under `path`, or in memory without one. It listens nowhere, so that
 * nothing reaches it past the store in front of it. What a request makes it throw is answered with a 500 and reported,
 * provided that the process hands on what nobody caught (`failRequestUnderWay`).
 */
export function openEmbeddedEngine(
  path?: string,
  report: (line: string) => void = (line) => console.error(line),
): StoreEngine {
  const server = openMendedEngine({
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    ...(path && { path }),
  });
  const [listener] = server.listeners("request") as RequestListener[];
  const handle = async (request: StoreRequest): Promise<StoreAnswer> => {
    try {
      return await asRequest(() => ask(listener as RequestListener, request));
    } catch (error) {
      // That is no fault of one request.
      if (isDiskFull(error)) throw error;
      report(`${request.operation} made the engine throw, and is answered with 500: ${placeOf(error)}`);
      return INTERNAL_ERROR;
    }
  };
  return { handle, close: () => closeEngine(server) };
}

async function ask(listener: RequestListener, { operation, input }: StoreRequest): Promise<StoreAnswer> {
  const { statusCode, payload } = await inject(listener, {
    method: "POST",
    url: "/",
    headers: { ...UNVERIFIED_SIGNATURE, "x-amz-target": `${TARGET_PREFIX}${operation}` },
    payload: JSON.stringify(input),
  });
  return { status: statusCode, body: JSON.parse(payload) as StoreAnswer["body"] };
}

/** What was thrown, and where: one line. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = ""] = /^ +at .*$/m.exec(error.stack ?? "") ?? [];
  return `${error.name}: ${error.message}${first.replace(/^ +/, " ")}`;
}

/** dynalite closes its files once its server has closed, and a server that never listened cannot be closed. */
async function closeEngine(server: Server): Promise<void> {
  server.removeAllListeners("request");
  server.on("connection", (socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.close((error) => (error ? reject(error) : resolve()));
  await promise;
}
