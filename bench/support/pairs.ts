/** A pair of samples of one kind: ours, and the peer's right before or after it. */
export type Pair = readonly [ours: number, peer: number];

export interface Timing {
  /** CPU of the whole process, garbage collector and compiler included, in ms a call. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

export interface PairedRuns {
  /** The work of the two sides, which take turns. */
  readonly ours: () => unknown;
  readonly peer: () => unknown;
  readonly pairs: number;
  /** Calls in a row that make a sample. */
  readonly calls: number;
  /** Calls of each side before the first sample, so that the compiler has finished. */
  readonly warmUp: number;
}

/**
 * Runs two sides in turns in this process. Each pair reverses the order of the one before, so that other load on the
 * machine affects both sides alike.
 */
export async function timePairs(
  runs: PairedRuns,
): Promise<readonly (readonly [ours: Timing, peer: Timing])[]> {
  const { ours, peer, pairs, calls, warmUp } = runs;
  await repeat(ours, warmUp);
  await repeat(peer, warmUp);
  const timings: (readonly [Timing, Timing])[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % 2 === 0) {
      const first = await time(ours, calls);
      timings.push([first, await time(peer, calls)]);
    } else {
      const first = await time(peer, calls);
      timings.push([await time(ours, calls), first]);
    }
  }
  return timings;
}

/** The CPU time of timed pairs, in a unit of which a millisecond has `unitsPerMs`. */
export const cpuOf = (timings: readonly (readonly [Timing, Timing])[], unitsPerMs = 1): readonly Pair[] =>
  timings.map(([ours, peer]) => [ours.cpuMs * unitsPerMs, peer.cpuMs * unitsPerMs]);

async function repeat(call: () => unknown, calls: number): Promise<void> {
  for (let done = 0; done < calls; done += 1) {
    const result = call();
    // A result that is not a promise is not awaited, because even that takes time.
    if (result instanceof Promise) await result;
  }
}

async function time(call: () => unknown, calls: number): Promise<Timing> {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  await repeat(call, calls);
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1_000 / calls, wallMs: (performance.now() - wall) / calls };
}
