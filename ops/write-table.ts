/** An instant in epoch milliseconds, as ISO 8601 in UTC. */
export const instantText = (instant: number): string => new Date(instant).toISOString();

/** Rows of text as lines with aligned columns, two spaces apart. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  return rows.map(lineOf).join("\n");
}
