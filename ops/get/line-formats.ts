import type { Column, Dataset } from "./datasets.ts";

/** A format of lines. It is written piece by piece, and the pieces joined are the file. */
interface LineFormat {
  /** What stands before the first record. */
  readonly head: (dataset: Dataset) => string;
  /** A record with its line ends. @param line the record's JSON. */
  readonly body: (dataset: Dataset, line: string) => string;
}

/** The record's own JSON, a line each. */
const ndjson: LineFormat = { head: () => "", body: (_, line) => `${line}\n` };

/** RFC 4180 with a header row. */
const csv: LineFormat = {
  head: ({ columns }) => csvLine(columns.map(({ name }) => name)),
  body: ({ columns, rowsOf }, line) =>
    rowsOf(line)
      .map((row) => csvLine(row.map((value, at) => fieldOf(value, columns[at]))))
      .join(""),
};

export const lineFormats = { ndjson, csv } as const;

const csvLine = (fields: readonly string[]): string => `${fields.join(",")}\r\n`;

/** An absent member is an empty field, and an empty text is a pair of quotes. */
function fieldOf(value: string | undefined, column: Column | undefined): string {
  if (value === undefined) return "";
  const text = safeText(value, column?.kind ?? "text");
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What a spreadsheet may pass over in front of a sign: whatever cannot be seen, in any script. */
const UNSEEN = /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]+/u;
/** The signs that begin a formula, in any width (compatibility forms of Unicode), and the sign of minus. */
const SIGN = /^[=+\-@\u2212]/;

/**
 * Whether a text gets an apostrophe in front. A spreadsheet takes a text that begins with a sign for a formula, which could
 * send other cells away, and may do so behind control characters. A text that has an apostrophe there already gets another
 * one, so that a program which removes one from each such text has the texts as they were sent.
 */
function needsApostrophe(text: string): boolean {
  if (/^['\p{Cc}\p{Cf}]/u.test(text)) return true;
  const seen = text.replace(UNSEEN, "").slice(0, 2);
  return SIGN.test(seen.normalize("NFKC"));
}

function safeText(value: string, kind: Column["kind"]): string {
  if (kind === "instant") return new Date(Number(value)).toISOString();
  const isNumber = kind === "amount" && NUMBER.test(value);
  return !isNumber && needsApostrophe(value) ? `'${value}` : value;
}
