/** How long a piece of work is waited for. */
export interface Patience {
  readonly signal?: AbortSignal | undefined;
  /** Without it, only the signal ends the wait. */
  readonly timeoutMs?: number;
  /** The error for work that takes longer. */
  readonly late?: () => Error;
}

/**
 * Does a piece of work, and waits for it no longer than the caller wants, even if the work looks at no signal.
 *
 * @param work is given a signal that is aborted once nobody waits for it any more.
 * @throws the reason of the caller's signal, once that is aborted.
 */
export async function inTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { signal, timeoutMs, late }: Patience,
): Promise<Result> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason as Error), { once: true });
  });
  const abort = (): void => stop.abort(signal?.reason);
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop.abort(late?.()), timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work(stop.signal), stopped]);
  } catch (error) {
    // Work that failed half-way may still hold a connection.
    stop.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
