import type { Clock } from "../../lib/clock.ts";

/**
 * Returns a function that resolves at most so many times a second, at even distances.
 *
 * @param clock milliseconds by a clock that nobody sets.
 */
export function paceOf(
  perSecond: number,
  clock: Clock,
  wait: (ms: number) => Promise<void>,
): () => Promise<void> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock();
    const leftMs = nextMs - nowMs;
    nextMs = Math.max(nowMs, nextMs) + 1_000 / perSecond;
    if (leftMs > 0) await wait(leftMs);
  };
}
