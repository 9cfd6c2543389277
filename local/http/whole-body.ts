import type { IncomingMessage } from "node:http";

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
    message.on("close", () => reject(new Error("the body was broken off")));
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
