import type { Figure, Measurement, Summary } from "./figure.ts";

/** A number in three significant digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

/** A median, with the range of its middle half where it has one. */
const withSpread = ({ median, low, high }: Summary): string =>
  !Number.isFinite(median) || low === high
    ? short(median)
    : `${short(median)} (${short(low)}–${short(high)})`;

/** One figure as the cells of a table. */
const cellsOf = (figure: Figure): string[] => [
  figure.what,
  `${withSpread(figure.ours)} ${figure.unit}`,
  `${withSpread(figure.peer)} ${figure.unit}`,
  withSpread(figure.ratio),
  figure.aim === undefined ? "" : `${figure.aim.text}: ${figure.aim.isMet ? "met" : "NOT MET"}`,
];

const HEADINGS = ["what", "ours", "peer", "ours / peer", "aim"];

/** Prints what a measurement does, and its figures as a table. */
export function printFigures({ name, about }: Measurement, figures: readonly Figure[]): void {
  console.log(`\n${about}`);
  const peers = Map.groupBy(figures, ({ peerName }) => peerName);
  for (const [peerName, of] of peers) {
    printTable(`${name}, against ${peerName}`, [HEADINGS, ...of.map(cellsOf)]);
  }
}

/** Rows of cells, the first of which are headings. */
export type Rows = readonly (readonly string[])[];

/** Rows as a table of a document. */
export const markdownTable = ([headings = [], ...rows]: Rows): string =>
  [headings, headings.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** Prints rows with their columns below each other. */
export function printTable(title: string, rows: Rows): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const row of rows)
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths?.[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
