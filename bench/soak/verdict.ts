import type { Interval } from "./interval.ts";

/** Caches, compiled code and the heap take some minutes to reach their size. */
const SETTLED_S = 300;
/** How much the last third of the settled time may lie above the first, as a factor and as what always may. */
const GROWTH = {
  memory: { factor: 1.15, slack: 20 },
  latency: { factor: 1.5, slack: 5 },
  files: { factor: 1.1, slack: 10 },
} as const;

/** One line of a verdict. */
export interface Finding {
  readonly what: string;
  readonly isGood: boolean;
  readonly text: string;
}

/**
 * What a soak shows: whether all was answered, and whether the service stayed as it was.
 *
 * @param hasEnded whether the service ended before it was told to.
 */
export function verdictOf(
  intervals: readonly Interval[],
  failedChores: readonly string[],
  hasEnded = false,
): readonly Finding[] {
  const failed = intervals.reduce((sum, interval) => sum + interval.failed, 0);
  const refused = intervals.reduce((sum, interval) => sum + interval.refused, 0);
  return [
    {
      what: "answers",
      isGood: failed === 0,
      text: `${failed} answers of status 500 or above, or none at all`,
    },
    { what: "credentials", isGood: refused === 0, text: `${refused} refusals of requests that are right` },
    {
      what: "chores",
      isGood: failedChores.length === 0,
      text: `${failedChores.length} imports or rotations failed`,
    },
    growth("memory", "MB resident", intervals, GROWTH.memory, ({ residentMb }) => residentMb),
    growth("latency", "ms at p95", intervals, GROWTH.latency, ({ latency }) => latency.p95),
    growth("open files", "open files", intervals, GROWTH.files, ({ openFiles }) => openFiles),
    ...(hasEnded ? [{ what: "service", isGood: false, text: "it ended before it was told to" }] : []),
  ];
}

/** Compares the medians of the first and the last third of the settled intervals. */
function growth(
  what: string,
  unit: string,
  intervals: readonly Interval[],
  { factor, slack }: { readonly factor: number; readonly slack: number },
  read: (interval: Interval) => number | undefined,
): Finding {
  const settled = intervals.filter(({ endS }) => endS > SETTLED_S);
  const third = Math.floor(settled.length / 3);
  const first = medianOf(settled.slice(0, third).map(read));
  const last = third === 0 ? undefined : medianOf(settled.slice(-third).map(read));
  if (first === undefined || last === undefined)
    return {
      what,
      isGood: true,
      text: `not judged: a service settles in the first ${SETTLED_S / 60} minutes`,
    };
  const text = `${Math.round(first * 10) / 10} at first, ${Math.round(last * 10) / 10} at last (${unit})`;
  return { what, isGood: last <= first * factor + slack, text };
}

function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  return known[Math.floor(known.length / 2)];
}
