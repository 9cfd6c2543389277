import { CountinghouseError } from "./error.ts";
import type { Platform } from "./platform.ts";

/** An answer with its whole body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One attempt of a request. */
export interface Attempt {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a GET once and reads the whole answer.
 *
 * @throws {CountinghouseError} `timeout` or `network_error`.
 * @throws the reason of the signal, once it is aborted.
 */
export async function exchangeOnce(
  fetch: Platform["fetch"],
  { url, headers, timeoutMs, requestId, signal }: Attempt,
): Promise<Answer> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  const abort = (): void => stop.abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    // A redirect would carry the credentials to where it leads.
    const response = await fetch(url, { headers, signal: stop.signal, redirect: "manual" });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    throw lostAnswer(error, { url, requestId, ...(stop.signal.aborted && { timeoutMs }) });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

interface Lost {
  readonly url: string;
  readonly requestId: string;
  /** Present when the time was up. */
  readonly timeoutMs?: number;
}

function lostAnswer(cause: unknown, { url, requestId, timeoutMs }: Lost): CountinghouseError {
  const details = { url, requestId, cause };
  if (timeoutMs !== undefined)
    return new CountinghouseError(`GET ${url}: no whole answer within ${timeoutMs} ms.`, {
      ...details,
      code: "timeout",
    });
  return new CountinghouseError(`GET ${url}: no answer, or only a part of one: ${reasonOf(cause)}.`, {
    ...details,
    code: "network_error",
  });
}

/** Node.js says why in the cause of its error, sometimes by a code alone; browsers say nothing. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return "no reason is given";
  const { code } = inner as { readonly code?: unknown };
  return inner.message || (typeof code === "string" ? code : inner.name);
}
