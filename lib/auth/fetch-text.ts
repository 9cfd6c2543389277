import { get } from "node:https";
import { deadlineSignal } from "../deadline.ts";
import { Failure } from "../errors.ts";

const TIMEOUT_MS = 2_000;
const BYTES_MAX = 64 * 1024;

/**
 * Fetches a small text over TLS, by `node:https` because `fetch` would bring a second HTTP stack into the bundle. Plain
 * HTTP is only for a loopback address, where a local issuer listens.
 *
 * @throws {Failure} `temporarily_unavailable`, which says why: on any status but 200, after two seconds, past 64 KiB,
 * when no answer came, or when the request's own time is over.
 */
export async function fetchText(url: URL): Promise<string> {
  const send = url.protocol === "http:" ? (await import("node:http")).get : get;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), deadlineSignal() ?? []].flat());
    const fail = (error: Error): void => reject(described(url, error));
    const request = send(url, { signal, headers: { accept: "application/json" } }, (response) => {
      if (response.statusCode !== 200) {
        request.destroy(refused(`${url.host} answered ${response.statusCode}.`));
        return;
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > BYTES_MAX) request.destroy(refused(`${url.host} sent more than ${BYTES_MAX} bytes.`));
      });
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
      response.on("error", fail);
    });
    request.on("error", fail);
  });
}

const refused = (message: string, cause?: Error): Failure =>
  new Failure("temporarily_unavailable", message, { cause });

/** An error as the log may show it: with the platform's short word for it, such as ECONNREFUSED, and without its text. */
function described(url: URL, error: Error & { readonly code?: unknown }): Failure {
  if (error instanceof Failure) return error;
  const word = typeof error.code === "string" && error.name !== "TimeoutError" ? error.code : error.name;
  return refused(`${url.host} did not answer: ${word}.`, error);
}
