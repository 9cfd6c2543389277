import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isOwnCaller } from "../http/whole-body.ts";
import { type ControlAddress, forgetControlFile, writeControlFile } from "./control-file.ts";
import { answerRoute, type RouteAnswer, refusal, type ServedRoute } from "./control-route.ts";

const BODY_BYTES_MAX = 1_048_576;
const KEY_BYTES = 32;

export interface ControlOptions {
  readonly dataDir: string;
  readonly routes: readonly ServedRoute[];
  /** Receives the errors of answers, which callers do not see. */
  readonly log: (line: string) => void;
  /** Where programs find the queues, for the same file. */
  readonly queues?: ControlAddress["queues"];
}

/** The control channel of a running service, until it is closed. */
export interface Control {
  close(): Promise<void>;
}

/**
 * Lets programs of this machine that can read the data directory steer a running service. The channel has a port and a
 * key of its own, which are random in each start and stand in a file that only its owner may read. A request is a POST
 * to a route's name, with the key as bearer token and JSON in and out. Requests of web pages are refused.
 */
export async function startControl({ dataDir, routes, log, queues }: ControlOptions): Promise<Control> {
  const key = randomBytes(KEY_BYTES).toString("base64url");
  const parts = { keyDigest: digest(key), routes: byPath(routes), log };
  const server = createServer((message, response) => {
    // A caller that is gone before its request has arrived gets no answer.
    answer(message, parts).then(
      (given) => send(response, given),
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await writeControlFile(dataDir, {
    endpoint: `http://127.0.0.1:${port}`,
    key,
    ...(queues !== undefined && { queues: { endpoint: queues.endpoint, url: queues.url } }),
  });
  return {
    close: async () => {
      await forgetControlFile(dataDir);
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Reception {
  readonly keyDigest: Buffer;
  readonly routes: ReadonlyMap<string, ServedRoute>;
  readonly log: (line: string) => void;
}

const byPath = (routes: readonly ServedRoute[]): ReadonlyMap<string, ServedRoute> =>
  new Map(routes.map((route) => [`/${route.name}`, route]));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Reads a request's body only after its caller has shown the key. */
async function answer(message: IncomingMessage, parts: Reception): Promise<RouteAnswer> {
  if (!isOwnCaller(message)) return refusal(403, "Only programs of this machine are answered.");
  if (!timingSafeEqual(digest(bearerOf(message)), parts.keyDigest))
    return refusal(401, "The key is that of another start.");
  const route = message.method === "POST" ? parts.routes.get(message.url ?? "") : undefined;
  if (route === undefined) return refusal(404, "This start has no such route.");
  return answerRoute(route, message, { bytesMax: BODY_BYTES_MAX, log: parts.log });
}

const bearerOf = ({ headers }: IncomingMessage): string =>
  /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";

function send(response: ServerResponse, { status, body }: RouteAnswer): void {
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": text.length });
  response.end(text);
}
