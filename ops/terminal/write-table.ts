import { styleText } from "node:util";
import { terminalText } from "./terminal-text.ts";

/** An instant in epoch milliseconds, as ISO 8601 in UTC. */
export const instantText = (instant: number): string => new Date(instant).toISOString();

/** What a colour says, on a terminal that has colours. */
export type Tint = "green" | "red" | "yellow" | "bold";

/** A text in a colour; plain where standard output is no terminal, or the environment says so (NO_COLOR, FORCE_COLOR). */
export const tinted = (tint: Tint, text: string): string => styleText(tint, text, { stream: process.stdout });

/** What stands in a table: a text, or one in a colour. */
export type Cell = string | { readonly text: string; readonly tint: Tint };

export interface Table {
  /** The names of the columns. */
  readonly head?: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const GAP = "  ";
/** Words longer than this are broken rather than given a column of their length. */
const WORD_WIDTH_MAX = 36;

/** Columns of the terminal that is written to; undefined where there is none, and lines may be as long as they are. */
export const terminalWidth = (): number | undefined =>
  // Some terminals do not know their width, and say 0.
  process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : undefined;

/** Prints a table that fits the terminal. */
export const printTable = (table: Table): void => console.log(tableText(table, terminalWidth()));

/**
 * A table as lines with aligned columns, two spaces apart. Where they are wider than `width`, cells are wrapped between
 * words; where not even words fit side by side, each row becomes lines of its own, a name and a value each. What a
 * terminal would act on is written out.
 */
export function tableText({ head, rows }: Table, width = Number.POSITIVE_INFINITY): string {
  const lines = [...(head === undefined ? [] : [head]), ...rows].map((row) => row.map(plainCell));
  const columns = largest(lines.map((row) => row.length));
  const widthOf = (measure: (text: string) => number) =>
    Array.from({ length: columns }, (_, at) => largest(lines.map((row) => measure(row[at]?.text ?? ""))));
  const widths = shrink(widthOf(displayWidth), widthOf(longestWord), width - GAP.length * (columns - 1));
  if (widths !== undefined) return lines.map((row) => rowText(row, widths)).join("\n");
  const names = head ?? Array.from({ length: columns }, () => "");
  return rows.map((row) => recordText(names, row.map(plainCell), width)).join("\n\n");
}

/** A text in lines of at most this many columns, broken between words, and within a word that is longer. */
export function wrapText(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ").flatMap((whole) => pieces(whole, width))) {
    const last = lines.at(-1) as string;
    const longer = last === "" ? word : `${last} ${word}`;
    if (displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** There may be more rows than a function takes arguments. */
const largest = (numbers: readonly number[]): number => numbers.reduce((max, one) => Math.max(max, one), 0);

type PlainCell = Exclude<Cell, string> | { readonly text: string; readonly tint?: undefined };

const plainCell = (cell: Cell): PlainCell =>
  typeof cell === "string" ? { text: terminalText(cell) } : { ...cell, text: terminalText(cell.text) };

/** The widths that fit, taken from the widest columns first and never below their words; undefined when none do. */
function shrink(natural: readonly number[], words: readonly number[], room: number): number[] | undefined {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const slack = widths.map((width, at) => (width > (words[at] ?? 0) ? width : 0));
    const widest = slack.indexOf(Math.max(...slack));
    if (slack[widest] === 0 || widest < 0) return undefined;
    widths[widest] = (widths[widest] as number) - 1;
    excess -= 1;
  }
  return widths;
}

function rowText(row: readonly PlainCell[], widths: readonly number[]): string {
  const wrapped = row.map(({ text }, at) => wrapText(text, widths[at] as number));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  const lineAt = (line: number): string => {
    const texts = wrapped.map((lines) => lines[line] ?? "");
    const last = texts.findLastIndex((text) => text !== "");
    return row
      .slice(0, last + 1)
      .map(({ tint }, at) => inColumn(texts[at] as string, tint, at === last ? 0 : (widths[at] as number)))
      .join(GAP);
  };
  return Array.from({ length: height }, (_, line) => lineAt(line)).join("\n");
}

function inColumn(text: string, tint: Tint | undefined, width: number): string {
  const padding = " ".repeat(Math.max(0, width - displayWidth(text)));
  return `${tint === undefined || text === "" ? text : tinted(tint, text)}${padding}`;
}

function recordText(names: readonly string[], row: readonly PlainCell[], width: number): string {
  const nameWidth = Math.max(...names.map(displayWidth));
  const valueWidth = Math.max(1, width - nameWidth - GAP.length);
  return row
    .map((cell, at) => rowText([{ text: names[at] ?? "" }, cell], [nameWidth, valueWidth]))
    .join("\n");
}

const longestWord = (text: string): number =>
  Math.min(WORD_WIDTH_MAX, Math.max(...text.split(" ").map(displayWidth)));

/** A word as it is, or in parts of at most this many columns. */
function pieces(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word];
  const parts = [""];
  for (const { segment } of graphemes.segment(word)) {
    const longer = `${parts.at(-1)}${segment}`;
    if (parts.at(-1) === "" || displayWidth(longer) <= width) parts[parts.length - 1] = longer;
    else parts.push(segment);
  }
  return parts;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const ASCII = /^[\x20-\x7e]*$/;
/** What takes two columns of a terminal: scripts of East Asia, their full-width forms, and pictures. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\p{Emoji_Presentation}]/u;

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
