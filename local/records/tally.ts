import type { WriteOutcome } from "../../lib/write-outcome.ts";

/** Each line has exactly one of these outcomes. */
const OUTCOMES = [
  "written",
  "corrected",
  "unchanged",
  "stale",
  "refused",
] as const satisfies readonly WriteOutcome["outcome"][];

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

/**
 * The number of lines with each outcome. A line counts only once its write has been acknowledged. `unusual` counts
 * those of the written lines that took an unusual step, `double` the trades that share their instant and id with another
 * one, and `missed` the corrections and withdrawals that no trade was there for.
 */
export type Tally = Record<(typeof ROWS)[number], number>;

export const newTally = (): Tally => Object.fromEntries(ROWS.map((row) => [row, 0])) as Tally;

/** The number of finished lines, whatever their outcome. */
export const lineCount = (tally: Readonly<Tally>): number =>
  OUTCOMES.reduce((sum, outcome) => sum + tally[outcome], 0);

/** Lines per second over a time in milliseconds; 0 while no time has passed. */
export const linesPerSecond = (lines: number, tookMs: number): number =>
  tookMs > 0 ? Math.round((lines * 1000) / tookMs) : 0;

/** A count as people read it: 12,345. */
export const inThousands = (count: number): string => count.toLocaleString("en");

/** Counts as the rows of a closing table. */
export const countRows = (counts: readonly (readonly [name: string, count: number])[]): string =>
  counts.map(([name, count]) => `${name.padEnd(12)}${inThousands(count).padStart(14)}`).join("\n");

/** The table that ends an import. */
export function summarise(tally: Readonly<Tally>, tookMs: number): string {
  const lines = lineCount(tally);
  const shown = ROWS.filter((row) => tally[row] > 0 || !RARE.has(row));
  const speed = `in ${(tookMs / 1000).toFixed(1)} s, ${inThousands(linesPerSecond(lines, tookMs))} per second`;
  return `${countRows([...shown.map((row) => [row, tally[row]] as const), ["lines", lines]])}  ${speed}`;
}
