/** A pair of samples of one kind: ours, and the peer's right before or after it. */
export type Pair = readonly [ours: number, peer: number];

export interface Timing {
  /** Of the whole process, its collector and compiler included; ms a call. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

export interface PairedRuns {
  /** What both do in turns. */
  readonly ours: () => unknown;
  readonly peer: () => unknown;
  readonly pairs: number;
  /** Calls in a row that make a sample. */
  readonly calls: number;
  /** Calls of each before the first sample, so that compilers are done. */
  readonly warmUp: number;
}

/**
 * Runs two things in turns in this process, each pair in the other order than the one before, so that what else the machine does
 * falls on both alike.
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

/** The CPU time of timed pairs, in ms or a unit of so many to the ms. */
export const cpuOf = (timings: readonly (readonly [Timing, Timing])[], unitsPerMs = 1): readonly Pair[] =>
  timings.map(([ours, peer]) => [ours.cpuMs * unitsPerMs, peer.cpuMs * unitsPerMs]);

async function repeat(call: () => unknown, calls: number): Promise<void> {
  for (let done = 0; done < calls; done += 1) {
    const result = call();
    // A call that answers at once is not made to wait for a turn of the event loop.
    if (result instanceof Promise) await result;
  }
}

async function time(call: () => unknown, calls: number): Promise<Timing> {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  await repeat(call, calls);
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1_000 / calls, wallMs: (performance.now() - wall) / calls };
}
