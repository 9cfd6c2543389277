/** How often a load is looked at. */
const LOOK_MS = 1_000;
/** With so much CPU time of its own a bundle has had ten times what any of ours needs; Lambda gives a load ten seconds. */
const OWN_CPU_MS_MAX = 10_000;
/** A whole process has other work as well: for all of its threads together, so much more. */
const SHARED_CPU_MS_MAX = 60_000;
/** A load that has done nothing in so many looks, one a second, waits for something that does not come. */
const IDLE_LOOKS_MAX = 60;
/** Looking costs the thread some microseconds, which do not count as progress. */
const PROGRESS_MS = 1;

/** The CPU time that a load has taken so far, in milliseconds. */
export interface CpuMeter {
  /** Stays unanswered while the thread is stuck in a call of the system, and rejects once the thread has ended. */
  readonly readMs: () => Promise<number>;
  readonly maxMs: number;
}

/** The parts of a thread that tell its CPU time. */
interface MeasuredThread {
  /** Node.js has it since 24.6. */
  readonly cpuUsage?: () => Promise<CpuUsage>;
}

interface CpuUsage {
  readonly user: number;
  readonly system: number;
}

/**
 * Measures a thread from now on. Where Node.js does not tell the CPU time of a thread, that of the whole process takes its
 * place: a load then has at least as long, never less.
 */
export function cpuMeterOf(
  thread: MeasuredThread,
  processUsage = (since?: CpuUsage): CpuUsage => process.cpuUsage(since),
): CpuMeter {
  if (thread.cpuUsage !== undefined) {
    const readMs = async (): Promise<number> => msOf((await thread.cpuUsage?.()) ?? NOTHING);
    return { readMs, maxMs: OWN_CPU_MS_MAX };
  }
  const before = processUsage();
  return { readMs: async () => msOf(processUsage(before)), maxMs: SHARED_CPU_MS_MAX };
}

const NOTHING = { user: 0, system: 0 };

const msOf = ({ user, system }: CpuUsage): number => (user + system) / 1_000;

/** Calls a function every second, until the returned one is called. */
export type EverySecond = (look: () => void) => () => void;

const everySecond: EverySecond = (look) => {
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
};

/**
 * Watches the load of a bundle, and calls `hung` once with the cause when the load will not end by itself: it has computed
 * for too long, or has done nothing for a minute. No time on a clock ends a load, because a busy machine may take any
 * time over it. A minute is counted in looks, so that one in which this process got no CPU either does not count.
 *
 * @returns a function that ends the watch.
 */
export function watchLoad(
  { readMs, maxMs }: CpuMeter,
  hung: (cause: string) => void,
  every = everySecond,
): () => void {
  let [usedMs, lastMs, idleLooks, isAsking] = [0, 0, 0, false];
  const conclude = (cause: string): void => {
    end();
    hung(cause);
  };
  const look = (): void => {
    idleLooks = usedMs - lastMs > PROGRESS_MS ? 0 : idleLooks + 1;
    lastMs = usedMs;
    if (usedMs >= maxMs) conclude(computes(maxMs));
    else if (idleLooks > IDLE_LOOKS_MAX) conclude(WAITS);
    else if (!isAsking) void ask();
  };
  const ask = async (): Promise<void> => {
    isAsking = true;
    // The end of the thread is told by the thread itself.
    usedMs = await readMs().catch(() => usedMs);
    isAsking = false;
  };
  const end = every(look);
  return end;
}

const computes = (ms: number): string =>
  `its modules have computed for ${ms / 1_000} seconds of CPU time while they were loaded. Look for an endless loop outside of the handler, or move the work into the handler.`;
const WAITS =
  "its modules have been waiting for a minute while they were loaded. Look for an await outside of the handler whose promise is never settled, or for a connection that does not answer.";
