import { type Tint, tinted } from "../../local/terminal/tint.ts";
import { terminalText } from "./terminal-text.ts";

/** An instant in epoch milliseconds, as ISO 8601 in UTC. */
export const instantText = (instant: number): string => new Date(instant).toISOString();

/** The day of an instant in epoch milliseconds, in UTC. */
export const dayText = (instant: number): string => instantText(instant).slice(0, 10);

/** An instant in JSON; null where there is none. */
export const instantOrNull = (instant: number | undefined): string | null =>
  instant === undefined ? null : instantText(instant);

/** A day in JSON; null where there is none. */
export const dayOrNull = (instant: number | undefined): string | null =>
  instant === undefined ? null : dayText(instant);

/** The content of one field of a table: a text, perhaps in a colour, or a figure, which stands at the right. */
export type Cell = string | { readonly text: string; readonly tint?: Tint; readonly isFigure?: boolean };

export interface Table {
  /** The names of the columns. */
  readonly head?: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
}

const GAP = "  ";
/** A longer word is broken, so that it does not widen its column. */
const WORD_WIDTH_MAX = 36;

/** A longer text is cut where others stand beside it: an owner may have more than a thousand characters. */
const CELL_WIDTH_MAX = 100;

/** The terminal's width in columns; undefined where output does not go to a terminal, and lines need not be wrapped. */
export const terminalWidth = (): number | undefined =>
  // A terminal that does not know its width reports 0.
  process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : undefined;

/** Prints a table that fits the terminal. */
export const printTable = (table: Table): void => console.log(tableText(table, terminalWidth()));

/**
 * A table as lines with aligned columns, two spaces apart. Cells are wrapped between words where the columns together
 * are wider than `width`. Where even single words do not fit side by side, each row becomes a list of names and values.
 * The characters that a terminal would act on are escaped. What is cut is whole in the output for programs.
 */
export function tableText({ head, rows }: Table, width = Number.POSITIVE_INFINITY): string {
  const all = [...(head === undefined ? [] : [head]), ...rows];
  const columns = largest(all.map((row) => row.length));
  const lines = all.map((row) => row.map((cell, at) => shortened(plainCell(cell), at === columns - 1)));
  const widthOf = (measure: (text: string) => number) =>
    Array.from({ length: columns }, (_, at) => largest(lines.map((row) => measure(row[at]?.text ?? ""))));
  const widths = shrink(widthOf(displayWidth), widthOf(longestWord), width - GAP.length * (columns - 1));
  if (widths !== undefined) return lines.map((row) => rowText(row, widths)).join("\n");
  const names = Array.from({ length: columns }, (_, at) => plainCell(head?.[at] ?? "").text);
  return rows.map((row) => recordText(names, row.map(plainCell), width)).join("\n\n");
}

/** A text in lines of at most `width` columns, broken between words; a word that is longer is broken itself. */
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

/** Texts as a list with hyphens, in lines that fit the terminal. @param plainWidth where it has no width. */
export function listText(items: readonly string[], plainWidth = Number.POSITIVE_INFINITY): string {
  const width = (terminalWidth() ?? plainWidth) - 2;
  return items.map((item) => `- ${wrapText(item, width).join("\n  ")}`).join("\n");
}

/** `Math.max(...numbers)` would fail here: a table may have more rows than a function takes arguments. */
const largest = (numbers: readonly number[]): number => numbers.reduce((max, one) => Math.max(max, one), 0);

type PlainCell = Exclude<Cell, string>;

const plainCell = (cell: Cell): PlainCell =>
  typeof cell === "string" ? { text: terminalText(cell) } : { ...cell, text: terminalText(cell.text) };

/** A cell that would widen its column for all rows is cut. Nothing stands beside the last one. */
const shortened = (cell: PlainCell, isLast: boolean): PlainCell =>
  isLast ? cell : { ...cell, text: shortText(cell.text) };

/** A text as it stands beside others: cut where it is too long, and whole in the output for programs. */
export const shortText = (text: string): string =>
  displayWidth(text) <= CELL_WIDTH_MAX ? text : `${pieces(text, CELL_WIDTH_MAX - 1)[0]}…`;

/** Widths that fit the room: the widest columns shrink first, none below its longest word. Undefined when none fit. */
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
      .map((cell, at) =>
        inColumn(texts[at] as string, cell, at === last && !cell.isFigure ? 0 : (widths[at] as number)),
      )
      .join(GAP);
  };
  return Array.from({ length: height }, (_, line) => lineAt(line)).join("\n");
}

function inColumn(text: string, { tint, isFigure }: Omit<PlainCell, "text">, width: number): string {
  const padding = " ".repeat(Math.max(0, width - displayWidth(text)));
  const shown = tint === undefined || text === "" ? text : tinted(tint, text);
  return isFigure ? `${padding}${shown}` : `${shown}${padding}`;
}

function recordText(names: readonly string[], row: readonly PlainCell[], width: number): string {
  const nameWidth = Math.max(...names.map(displayWidth));
  const valueWidth = Math.max(1, width - nameWidth - GAP.length);
  return row
    .map((cell, at) =>
      // Below each other, names and values begin at the left.
      rowText([{ text: names[at] ?? "" }, { ...cell, isFigure: false }], [nameWidth, valueWidth]),
    )
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
/** Characters that take two columns of a terminal: East Asian scripts, full-width forms and emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\p{Emoji_Presentation}]/u;

/** The width of a text in columns of a terminal. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
