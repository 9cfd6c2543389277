import { get } from "node:https";
import { deadlineSignal } from "../deadline.ts";

const TIMEOUT_MS = 2_000;
const BYTES_MAX = 64 * 1024;

/**
 * Fetches a small text over TLS, by `node:https` because `fetch` would bring a second HTTP stack into the bundle. Plain
 * HTTP is only for a loopback address, where a local issuer listens.
 *
 * @throws {Error} on any status but 200, after two seconds, past 64 KiB, or when the request's own time is over.
 */
export async function fetchText(url: URL): Promise<string> {
  const send = url.protocol === "http:" ? (await import("node:http")).get : get;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), deadlineSignal() ?? []].flat());
    const request = send(url, { signal, headers: { accept: "application/json" } }, (response) => {
      if (response.statusCode !== 200) {
        request.destroy(new Error(`${url.host} answered ${response.statusCode}.`));
        return;
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > BYTES_MAX) request.destroy(new Error(`${url.host} sent more than ${BYTES_MAX} bytes.`));
      });
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
      response.on("error", reject);
    });
    request.on("error", reject);
  });
}
