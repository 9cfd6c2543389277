import { type Asked, requestError, unexpectedAnswer } from "./asked.ts";
import type { CountinghouseError } from "./error.ts";
import { inTime } from "./in-time.ts";
import type { Platform } from "./platform.ts";

/** An answer with its whole body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One attempt of a request. */
export interface Attempt {
  readonly asked: Asked;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The longest body that is read, unpacked. Lambda answers no more than 6 MB, so a longer one is not the service's. */
const BODY_MIB_MAX = 8;

/**
 * Sends a GET once and reads the whole answer.
 *
 * @throws {CountinghouseError} `timeout`, `network_error`, or `unexpected_answer` for one that is too long.
 * @throws the reason of the signal, once it is aborted.
 */
export async function exchangeOnce(
  fetch: Platform["fetch"],
  { asked, headers, timeoutMs, signal }: Attempt,
): Promise<Answer> {
  const receive = async (stop: AbortSignal) => {
    // A redirect would carry the credentials to where it leads.
    const response = await fetch(asked.url, { headers, signal: stop, redirect: "manual" });
    // Node.js leaves the space after a header's value in it, which the copy has no more.
    return {
      status: response.status,
      headers: new Headers(response.headers),
      text: await textOf(response, stop),
    };
  };
  const exchange = async (stop: AbortSignal): Promise<Answer> => {
    const {
      status,
      headers: answered,
      text,
    } = await receive(stop).catch((cause: unknown) => {
      signal?.throwIfAborted();
      const why = `no answer, or only a part of one: ${reasonOf(cause)}.`;
      throw requestError(why, asked, { code: "network_error", cause });
    });
    if (text !== undefined) return { status, headers: answered, text };
    throw unexpectedAnswer(`the body has more than ${BODY_MIB_MAX} MiB`, status, asked);
  };
  const late = (): CountinghouseError =>
    requestError(`no whole answer within ${timeoutMs} ms.`, asked, { code: "timeout" });
  return await inTime(exchange, { signal, timeoutMs, late });
}

/** The text of a body; undefined for one that is too long, which is not read to its end. */
async function textOf(response: Response, stop: AbortSignal): Promise<string | undefined> {
  // A fetch of another package may give a body that is not a stream of the platform.
  if (typeof response.body?.getReader !== "function") return await response.text();
  const reader = response.body.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  stop.addEventListener("abort", leave, { once: true });
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.concat(decoder.decode()).join("");
    bytes += value.length;
    if (bytes > BODY_MIB_MAX * 1024 * 1024) return undefined;
    parts.push(decoder.decode(value, { stream: true }));
  }
}

/** Node.js says why in the cause of its error, sometimes by a code alone; browsers say nothing. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return "no reason is given";
  const { code } = inner as { readonly code?: unknown };
  return inner.message || (typeof code === "string" ? code : inner.name);
}
