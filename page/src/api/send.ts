/** A request to an endpoint, as the page sends it. */
export interface SentRequest {
  readonly method: string;
  /** Path and query, with the base path: from the top of the origin. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer to a request, with its text as it came: no number of it was parsed. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** From sending the request to the last byte of the answer, in milliseconds. */
  readonly tookMs: number;
}

/**
 * Sends a request to this page's own origin. The browser's cache is left out, so that an endpoint sees each request and
 * a `304` stays one.
 *
 * @throws {TypeError} as `fetch` does, when the connection is broken before the answer is whole.
 */
export async function send({ method, target, headers }: SentRequest, signal?: AbortSignal): Promise<Answer> {
  const beganMs = performance.now();
  const response = await fetch(target, {
    method,
    headers,
    cache: "no-store",
    credentials: "omit",
    ...(signal !== undefined && { signal }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    tookMs: performance.now() - beganMs,
  };
}
