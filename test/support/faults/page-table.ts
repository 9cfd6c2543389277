/** A table in Markdown. */
export const pageTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** A table in which rows that differ in their first cell alone are one. */
export function groupedTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const groups = Map.groupBy(rows, (row) => row.slice(1).join("|"));
  return pageTable(
    head,
    [...groups.values()].map((same) => [
      same.map(([first]) => first).join("; "),
      ...(same[0]?.slice(1) ?? []),
    ]),
  );
}
