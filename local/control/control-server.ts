import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { commands } from "../installation.ts";
import { isOwnCaller } from "../own-caller.ts";
import { wholeBody } from "../whole-body.ts";
import { forgetControlFile, writeControlFile } from "./control-file.ts";
import { ControlRefusal, type ServedRoute } from "./control-route.ts";

const BODY_BYTES_MAX = 1_048_576;
const KEY_BYTES = 32;

export interface ControlOptions {
  readonly dataDir: string;
  readonly routes: readonly ServedRoute[];
  /** Receives the errors of answers, which callers do not see. */
  readonly log: (line: string) => void;
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
export async function startControl({ dataDir, routes, log }: ControlOptions): Promise<Control> {
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
  await writeControlFile(dataDir, { endpoint: `http://127.0.0.1:${port}`, key });
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

interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

const byPath = (routes: readonly ServedRoute[]): ReadonlyMap<string, ServedRoute> =>
  new Map(routes.map((route) => [`/${route.name}`, route]));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const refusal = (status: number, message: string): ControlAnswer => ({ status, body: { message } });

/** Reads a request's body only after its caller has shown the key. */
async function answer(message: IncomingMessage, parts: Reception): Promise<ControlAnswer> {
  if (!isOwnCaller(message)) return refusal(403, "Only programs of this machine are answered.");
  if (!timingSafeEqual(digest(bearerOf(message)), parts.keyDigest))
    return refusal(401, "The key is that of another start.");
  const route = message.method === "POST" ? parts.routes.get(message.url ?? "") : undefined;
  if (route === undefined) return refusal(404, "This start has no such route.");
  const input = parseJson((await wholeBody(message, BODY_BYTES_MAX))?.toString());
  if (input === undefined) return refusal(400, `The body must be JSON of ${BODY_BYTES_MAX} bytes at most.`);
  try {
    return { status: 200, body: await route.answer(input) };
  } catch (error) {
    if (error instanceof ControlRefusal) return refusal(409, error.message);
    parts.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return refusal(500, `It failed. The error is in the output of \`${commands.start}\`.`);
  }
}

const bearerOf = ({ headers }: IncomingMessage): string =>
  /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, body }: ControlAnswer): void {
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": text.length });
  response.end(text);
}
