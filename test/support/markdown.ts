/** One row of a table: its cells by the heads of their columns. */
export type Row = Readonly<Record<string, string>>;

/** A part of a document under a heading of the second level. */
export interface Section {
  readonly title: string;
  readonly tables: readonly (readonly Row[])[];
}

/** A bar within a cell is written with a backslash before it. */
const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** The tables of a Markdown text, in their order. */
function tablesOf(markdown: string): Row[][] {
  const blocks = markdown
    .split(/\n(?!\|)/)
    .map((block) => block.split("\n").filter((line) => /^\|.*\|$/.test(line)));
  return blocks
    .filter((lines) => lines.length > 2)
    .map(([head = "", , ...rows]) => {
      const names = cellsOf(head);
      return rows.map((row) => Object.fromEntries(cellsOf(row).map((cell, at) => [names[at] ?? "", cell])));
    });
}

/** The parts of a Markdown text that have a heading of the second level. */
export const sectionsOf = (markdown: string): Section[] =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => ({ title: part.slice(0, part.indexOf("\n")), tables: tablesOf(part) }));

/** The words that a cell sets as code, such as `GetItem`. */
export const codeIn = (cell: string | undefined): string[] =>
  [...(cell ?? "").matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? "");
