import type { WriteOutcome } from "../../lib/write-outcome.ts";

/**
 * How many lines ended in each way; a line counts once its write has been acknowledged, never before. `unusual` are those
 * of the written ones that took an unusual step.
 */
export type Tally = Record<WriteOutcome["outcome"] | "unusual", number>;

export const newTally = (): Tally => ({
  written: 0,
  unusual: 0,
  corrected: 0,
  unchanged: 0,
  stale: 0,
  refused: 0,
});

/** All lines that were dealt with, whatever became of them. */
export const lineCount = (tally: Readonly<Tally>): number =>
  tally.written + tally.corrected + tally.unchanged + tally.stale + tally.refused;

/** Lines a second, over a time in milliseconds; 0 while there is no time to speak of. */
export const linesPerSecond = (lines: number, tookMs: number): number =>
  tookMs > 0 ? Math.round((lines * 1000) / tookMs) : 0;

/** A count as people read it: 12,345. */
export const inThousands = (count: number): string => count.toLocaleString("en");

/** The table that ends an import. What is rare has a row only where there is some. */
export function summarise(tally: Readonly<Tally>, tookMs: number): string {
  const lines = lineCount(tally);
  const rare = (["unusual", "corrected"] as const).filter((name) => tally[name] > 0);
  const rows = [
    ["written", tally.written],
    ...rare.map((name) => [name, tally[name]] as const),
    ["unchanged", tally.unchanged],
    ["stale", tally.stale],
    ["refused", tally.refused],
    ["lines", lines],
  ] as const;
  const table = rows.map(([name, count]) => `${name.padEnd(12)}${inThousands(count).padStart(14)}`);
  const speed = `in ${(tookMs / 1000).toFixed(1)} s, ${inThousands(linesPerSecond(lines, tookMs))} per second`;
  return `${table.join("\n")}  ${speed}`;
}
