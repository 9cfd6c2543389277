/** Node.js fires a timer of more than 2^31 - 1 ms at once. */
const SLICE_MS_MAX = 2_000_000_000;

/** Waits for any number of milliseconds, in parts that a timer can count. An abort skips the parts that are left. */
export async function waitInSlices(
  ms: number,
  sleep: (sliceMs: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= SLICE_MS_MAX) {
    if (signal?.aborted === true) return;
    await sleep(Math.min(leftMs, SLICE_MS_MAX));
  }
}
