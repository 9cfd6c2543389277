import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { isOwnCaller, type Listening, listenOn, sendLater } from "../http/server.ts";
import { type ControlAddress, forgetControlFile, writeControlFile } from "./control-file.ts";
import { answerRoute, asJson, isKey, type RouteAnswer, refusal, type ServedRoute } from "./control-route.ts";

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
export type Control = Pick<Listening, "close">;

/**
 * Lets programs of this machine that can read the data directory steer a running service. The channel has a port and a
 * key of its own, which are random in each start and stand in a file that only its owner may read. A request is a POST
 * to a route's name, with the key as bearer token and JSON in and out. Requests of web pages are refused.
 */
export async function startControl({ dataDir, routes, log, queues }: ControlOptions): Promise<Control> {
  const key = randomBytes(KEY_BYTES).toString("base64url");
  const served = new Map(routes.map((route) => [`/${route.name}`, route]));
  const server = createServer((message, response) =>
    sendLater(response, answer(message, { key, routes: served, log }).then(asJson)),
  );
  const { port, close } = await listenOn(server);
  await writeControlFile(dataDir, {
    endpoint: `http://127.0.0.1:${port}`,
    key,
    ...(queues !== undefined && { queues: { endpoint: queues.endpoint, url: queues.url } }),
  });
  return {
    close: async () => {
      await forgetControlFile(dataDir);
      await close();
    },
  };
}

interface Reception {
  readonly key: string;
  readonly routes: ReadonlyMap<string, ServedRoute>;
  readonly log: (line: string) => void;
}

/** Reads a request's body only after its caller has shown the key. */
async function answer(message: IncomingMessage, { key, routes, log }: Reception): Promise<RouteAnswer> {
  if (!isOwnCaller(message)) return refusal(403, "Only programs of this machine are answered.");
  const [, shown = ""] = /^Bearer (.+)$/.exec(message.headers.authorization ?? "") ?? [];
  if (!isKey(shown, key)) return refusal(401, "The key is that of another start.");
  const route = message.method === "POST" ? routes.get(message.url ?? "") : undefined;
  if (route === undefined) return refusal(404, "This start has no such route.");
  return answerRoute(route, message, { bytesMax: BODY_BYTES_MAX, log });
}
