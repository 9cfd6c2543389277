import { printTable } from "../print-figures.ts";
import type { Interval } from "./interval.ts";

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

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

const row = (cells: readonly string[]): string =>
  cells.map((cell, at) => cell.padStart(Math.max(HEAD[at]?.length ?? 0, 8))).join("  ");

/** The heading of the rows that are printed while a soak runs. */
export const headLine = row(HEAD);

/** An interval as a row under the heading. */
export const rowLine = ({
  endS,
  requests,
  limited,
  failed,
  latency,
  residentMb,
  openFiles,
}: Interval): string =>
  row([
    (endS / 60).toFixed(1),
    ...[requests, limited, failed].map(String),
    ...[latency.p50, latency.p95, latency.p99, latency.max].map(ms),
    String(residentMb),
    String(openFiles ?? "-"),
  ]);

/** Prints the latency of each endpoint in an interval. */
export const printEndpoints = ({ byEndpoint }: Interval): void =>
  printTable("Latency by endpoint, in the last interval", [
    ["endpoint", "answers", "p50 ms", "p95 ms", "p99 ms"],
    ...Object.entries(byEndpoint)
      .toSorted(([one], [other]) => one.localeCompare(other, "en"))
      .map(([name, { count, p50, p95, p99 }]) => [name, String(count), ms(p50), ms(p95), ms(p99)]),
  ]);
