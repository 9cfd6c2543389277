import type { WriteOutcome } from "../../lib/write-outcome.ts";

/**
 * The number of lines with each outcome. A line counts only once its write has been acknowledged. `unusual` counts
 * those of the written lines that took an unusual step, `double` the trades that share their instant and id with another
 * one, and `missed` the corrections and withdrawals that no trade was there for.
 */
export type Tally = Record<WriteOutcome["outcome"] | "unusual" | "double" | "missed", number>;

/** Each line has exactly one of these outcomes. */
const OUTCOMES = ["written", "corrected", "unchanged", "stale", "refused"] as const;

/** The rows of the closing table, in their order. A rare outcome has a row only if it occurred. */
const ROWS = [
  "written",
  "unusual",
  "corrected",
  "unchanged",
  "stale",
  "double",
  "missed",
  "refused",
] as const;
const RARE: ReadonlySet<keyof Tally> = new Set(["unusual", "corrected", "double", "missed"]);

export const newTally = (): Tally => ({
  written: 0,
  unusual: 0,
  corrected: 0,
  unchanged: 0,
  stale: 0,
  double: 0,
  missed: 0,
  refused: 0,
});

/** The number of finished lines, whatever their outcome. */
export const lineCount = (tally: Readonly<Tally>): number =>
  OUTCOMES.reduce((sum, outcome) => sum + tally[outcome], 0);

/** The lines that pass through an import. */
export interface Flow {
  /** Read from the file so far. */
  read: number;
  /** Skipped, such as headings and trades of other markets. */
  passedOver: number;
  /** Being written at the moment. */
  inFlight: number;
}

export const newFlow = (): Flow => ({ read: 0, passedOver: 0, inFlight: 0 });

/** After so many refusals without one success, the rest of a file is not read. */
const REFUSALS_MAX = 1_000;

/** Whether every finished line was refused, and there are at least {@link REFUSALS_MAX} of them. */
export const isHopeless = (tally: Readonly<Tally>): boolean =>
  tally.refused >= REFUSALS_MAX && tally.refused === lineCount(tally);

/** Lines per second over a time in milliseconds; 0 while no time has passed. */
export const linesPerSecond = (lines: number, tookMs: number): number =>
  tookMs > 0 ? Math.round((lines * 1000) / tookMs) : 0;

/** A count as people read it: 12,345. */
export const inThousands = (count: number): string => count.toLocaleString("en");

/** The table that ends an import. */
export function summarise(tally: Readonly<Tally>, tookMs: number): string {
  const lines = lineCount(tally);
  const shown = ROWS.filter((row) => tally[row] > 0 || !RARE.has(row));
  const rows = [...shown.map((row) => [row, tally[row]] as const), ["lines", lines] as const];
  const table = rows.map(([name, count]) => `${name.padEnd(12)}${inThousands(count).padStart(14)}`);
  const speed = `in ${(tookMs / 1000).toFixed(1)} s, ${inThousands(linesPerSecond(lines, tookMs))} per second`;
  return `${table.join("\n")}  ${speed}`;
}
