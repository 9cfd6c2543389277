import { foreignName } from "../../../lib/json/member-path.ts";

/** The cells of a line by the plain names of their columns, or why the line has none. */
export type CsvRow =
  | { readonly cells: ReadonlyMap<string, string> }
  | { readonly passedOver: "heading" }
  | { readonly refusal: string }
  | { readonly unusable: string };

/** Case and underscores do not tell names apart: `quoteQty` and `quote_qty` are the same. */
const plain = (name: string): string => name.replaceAll(/[^a-z]/gi, "").toLowerCase();

/** A heading has a letter in it, and none of its cells begins as a number or as JSON does. */
const isHeading = (cells: readonly string[]): boolean =>
  cells.some((cell) => /\p{L}/u.test(cell)) && !cells.some((cell) => /^[-+.\d{}["]/.test(cell));

/**
 * Reads lines of the exchanges' dumps, with a heading or without; no cell holds a comma. A heading decides which column
 * is which. It must name every needed column and no unknown one, because a column of another kind of dump changes what
 * its neighbours mean. Without a heading the usual order counts.
 */
export class CsvColumns {
  #columns: readonly string[];
  readonly #known: readonly string[];
  readonly #needed: readonly string[];
  #isFirst = true;

  /** @param columns names in their usual order. @param needed how many of them every line has. */
  constructor(columns: readonly string[], needed: number) {
    this.#columns = columns.map(plain);
    this.#known = columns;
    this.#needed = columns.slice(0, needed);
  }

  read(line: string): CsvRow {
    const cells = line.split(",").map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isHeading(cells)) return isFirst ? this.#readHeading(cells) : this.#meetHeading(cells);
    if (cells.length < this.#needed.length || cells.length > this.#columns.length) return this.#refuseLine();
    return { cells: new Map(cells.map((cell, at) => [this.#columns[at] ?? "", cell])) };
  }

  #refuseLine(): CsvRow {
    const more = this.#known.slice(this.#needed.length);
    const optional = more.length === 0 ? "" : `, and may have ${more.join(", ")}`;
    return { refusal: `the line must have the columns ${this.#needed.join(", ")}${optional}` };
  }

  #readHeading(cells: readonly string[]): CsvRow {
    const columns = cells.map(plain);
    const missing = this.#needed.filter((name) => !columns.includes(plain(name)));
    const known = this.#known.map(plain);
    const foreign = cells.filter((_, at) => !known.includes(columns[at] ?? ""));
    const isTwice = new Set(columns).size < columns.length;
    if (missing.length > 0 || foreign.length > 0 || isTwice)
      return { unusable: headingViolation(cells, missing, foreign) };
    this.#columns = columns;
    return { passedOver: "heading" };
  }

  /** Joined files repeat their heading, which must be the same each time. */
  #meetHeading(cells: readonly string[]): CsvRow {
    const columns = cells.map(plain);
    if (columns.every((name, at) => name === this.#columns[at])) return { passedOver: "heading" };
    if (!columns.some((name) => this.#needed.map(plain).includes(name))) return this.#refuseLine();
    return { unusable: "another heading begins here. Import the joined files one by one" };
  }
}

const listOf = (names: readonly string[]): string => names.map(foreignName).join(", ");

function headingViolation(
  found: readonly string[],
  missing: readonly string[],
  foreign: readonly string[],
): string {
  const violations = [
    ...(missing.length > 0 ? [`${missing.join(", ")} missing`] : []),
    ...(foreign.length > 0 ? [`${listOf(foreign)} not known`] : []),
    ...(missing.length + foreign.length === 0 ? ["a column named twice"] : []),
  ];
  return `the heading does not fit this format: ${violations.join("; ")}. It names ${listOf(found)}. Nothing was written`;
}
