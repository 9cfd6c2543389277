import type { Interval } from "./interval.ts";
import type { Finding } from "./verdict.ts";

const HEAD = [
  "minute",
  "requests",
  "429",
  "5xx or none",
  "p50 ms",
  "p95 ms",
  "p99 ms",
  "max ms",
  "MB",
  "open files",
];

/** A soak as it is reported. */
export interface Soaked {
  readonly perSecond: number;
  /** What this machine can answer, if it was measured. */
  readonly capacityPerSecond: number | undefined;
  readonly intervals: readonly Interval[];
  readonly complaints: ReadonlyMap<string, number>;
  readonly chores: ReadonlyMap<string, number>;
  readonly failedChores: readonly string[];
  readonly verdict: readonly Finding[];
}

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/** The cells of an interval's row. */
const cellsOf = ({ endS, requests, limited, failed, latency, residentMb, openFiles }: Interval): string[] => [
  (endS / 60).toFixed(1),
  String(requests),
  String(limited),
  String(failed),
  ...[latency.p50, latency.p95, latency.p99, latency.max].map(ms),
  String(residentMb),
  openFiles === undefined ? "-" : String(openFiles),
];

/** The heading of the rows that are printed while a soak runs. */
export const headLine = HEAD.map((cell) => cell.padStart(Math.max(cell.length, 8))).join("  ");

/** An interval as a row under the heading. */
export const rowLine = (interval: Interval): string =>
  cellsOf(interval)
    .map((cell, at) => cell.padStart(Math.max(HEAD[at]?.length ?? 0, 8)))
    .join("  ");

const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** The report in Markdown: load, verdict, one row an interval, latency by endpoint, and every complaint. */
export function reportText({ perSecond, capacityPerSecond, ...soaked }: Soaked): string {
  const { intervals, complaints, chores, failedChores, verdict } = soaked;
  const done = [...chores].map(([name, count]) => `${name} ${count}`).join(", ");
  const capacity =
    capacityPerSecond === undefined
      ? ""
      : `, of ${Math.round(capacityPerSecond)} that this machine can answer`;
  return [
    `# Soak of ${((intervals.at(-1)?.endS ?? 0) / 60).toFixed(1)} minutes`,
    "",
    `${Math.round(perSecond)} requests a second${capacity}. Meanwhile: ${done || "nothing"}.`,
    "",
    ...verdict.map(({ what, isGood, text }) => `- ${isGood ? "good" : "BAD"}: ${what}: ${text}`),
    ...failedChores.map((failure) => `- ${failure}`),
    "",
    tableRow(HEAD),
    tableRow(HEAD.map(() => "---:")),
    ...intervals.map((interval) => tableRow(cellsOf(interval))),
    "",
    ...endpointTable(intervals.at(-1)),
    ...[...complaints].map(([reason, count]) => `- ${count} times: ${reason}`),
    "",
  ].join("\n");
}

/** Latency by endpoint in the last interval. */
function endpointTable(last: Interval | undefined): string[] {
  if (last === undefined) return [];
  return [
    "Latency by endpoint, in the last interval:",
    "",
    tableRow(["endpoint", "answers", "p50 ms", "p95 ms", "p99 ms"]),
    tableRow(["---", "---:", "---:", "---:", "---:"]),
    ...Object.entries(last.byEndpoint)
      .sort(([a], [b]) => a.localeCompare(b, "en"))
      .map(([name, { count, p50, p95, p99 }]) => tableRow([name, String(count), ms(p50), ms(p95), ms(p99)])),
    "",
  ];
}
