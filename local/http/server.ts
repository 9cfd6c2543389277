import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that listens, until it is closed. */
export interface Listening {
  readonly port: number;
  /** Cuts every connection. A second call changes nothing. */
  readonly close: () => Promise<void>;
}

/** Lets a server listen on a port, or on any free one for 0. */
export async function listenOn(server: Server, port = 0, host = "127.0.0.1"): Promise<Listening> {
  server.listen(port, host);
  await once(server, "listening");
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** A whole answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** Sends an answer once it is there. Without one, as for a caller who is gone before its request has come, it ends the connection. */
export function sendLater(response: ServerResponse, answer: Promise<HttpAnswer>): void {
  answer.then(
    (given) => send(response, given),
    () => response.destroy(),
  );
}

function send(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  const content = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": content.length });
  response.end(content);
}

/**
 * The whole body of a request, or of an answer; undefined when it is too large: the rest is then read and dropped.
 * Rejects when the body is broken off.
 */
export function wholeBody(message: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    if (message.destroyed) reject(new Error("the body was broken off"));
    // By its events: an iterator over a stream costs more than a small body.
    message.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytesMax) chunks.push(chunk);
    });
    message.on("end", () => resolve(size > bytesMax ? undefined : Buffer.concat(chunks, size)));
    message.on("error", reject);
    message.on("close", () => {
      // Each message closes, and to make an error costs more than to read a small body.
      if (!message.readableEnded) reject(new Error("the body was broken off"));
    });
  });
}

/** The names of this machine, none of which can be a foreign domain. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/**
 * Whether a request comes from a program of this machine and cannot be one that a web page has sent: browsers name the
 * page in `Origin`, and a foreign name that was pointed at this machine shows in `Host`.
 */
export const isOwnCaller = ({ headers }: IncomingMessage): boolean =>
  headers.origin === undefined && OWN_HOST.test(headers.host ?? "");
