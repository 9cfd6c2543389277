/** A GET of an endpoint, as the page sends it. */
interface SentRequest {
  /** Path and query, with the base path: from the top of the origin. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer to a request, with its text as it came: no number of it was parsed. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** From sending the request to the last byte of the answer, in milliseconds. */
  readonly tookMs: number;
}

/**
 * Sends a request to this page's own origin. The browser's cache is left out, so that an endpoint sees each request and
 * a `304` stays one. A connection that breaks before the answer is whole is lost. Rejects only when it is aborted.
 */
export async function send(
  { target, headers }: SentRequest,
  signal?: AbortSignal,
): Promise<Answer | { readonly kind: "lost" }> {
  const beganMs = performance.now();
  try {
    const response = await fetch(target, {
      headers,
      cache: "no-store",
      credentials: "omit",
      ...(signal !== undefined && { signal }),
    });
    const text = await response.text();
    const { status } = response;
    const tookMs = performance.now() - beganMs;
    return { kind: "answer", status, headers: Object.fromEntries(response.headers), text, tookMs };
  } catch {
    signal?.throwIfAborted();
    return { kind: "lost" };
  }
}
