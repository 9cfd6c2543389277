import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { deadlineSignal } from "../deadline.ts";
import { Failure, unavailable } from "../errors.ts";

const TIMEOUT_MS = 2_000;
const BYTES_MAX = 64 * 1024;

export interface FetchTerms {
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytesMax?: number;
}

/**
 * Fetches a small text over TLS, by `node:https` because `fetch` would bring a second HTTP stack into the bundle. Plain
 * HTTP is only for a loopback address, where a local issuer listens.
 *
 * @throws {Failure} `temporarily_unavailable`, which says why: on any status but 200, after two seconds, past `bytesMax` (64 KiB),
 * when no answer came, or when the request's own time is over.
 */
export async function fetchText(
  url: URL,
  { headers = { accept: "application/json" }, bytesMax = BYTES_MAX }: FetchTerms = {},
): Promise<string> {
  const send = url.protocol === "http:" ? (await import("node:http")).get : get;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), deadlineSignal() ?? []].flat());
    const fail = (error: Error): void => reject(described(url, error));
    const request = send(url, { signal, headers }, (response) => {
      if (response.statusCode === 200) textOf(response, url, bytesMax).then(resolve, fail);
      else request.destroy(unavailable(`${url.host} answered ${response.statusCode}.`));
    });
    request.on("error", fail);
  });
}

/** An answer's text. Leaving the loop closes the connection, so nothing beyond the limit is received. */
async function textOf(response: IncomingMessage, { host }: URL, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw unavailable(`${host} sent more than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** An error as the log may show it: with the platform's short word for it, such as ECONNREFUSED, and without its text. */
function described(url: URL, error: Error & { readonly code?: unknown }): Failure {
  if (error instanceof Failure) return error;
  const word = typeof error.code === "string" && error.name !== "TimeoutError" ? error.code : error.name;
  return unavailable(`${url.host} did not answer: ${word}.`, { cause: error });
}
