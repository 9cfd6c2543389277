/** The cells of a line by the names of their columns; none for a heading, which names the columns of what follows. */
export type CsvRow = ReadonlyMap<string, string> | "heading" | { readonly refusal: string };

/** Names differ in case and underscores only: `quoteQty` and `quote_qty` are one. */
const plain = (name: string): string => name.replaceAll(/[^a-z]/gi, "").toLowerCase();

/**
 * Reads lines of the exchanges' dumps: numbers and words without quotes, with a heading or without. A heading decides
 * which column is which, and must name the ones that are needed; without one the given order counts.
 */
export class CsvColumns {
  #columns: readonly string[];
  readonly #needed: readonly string[];
  #isFirst = true;

  /** @param columns plain names in their usual order. @param needed how many of them a line has at least. */
  constructor(columns: readonly string[], needed: number) {
    this.#columns = columns;
    this.#needed = columns.slice(0, needed);
  }

  read(line: string): CsvRow {
    const cells = line.split(",").map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
    const isHeading = this.#isFirst && /^[a-z]/i.test(cells[0] ?? "");
    this.#isFirst = false;
    if (isHeading) return this.#readHeading(cells);
    if (cells.length < this.#needed.length || cells.length > this.#columns.length) return this.#refuseLine();
    return new Map(cells.map((cell, at) => [this.#columns[at] ?? "", cell]));
  }

  #refuseLine(): CsvRow {
    const more = this.#columns.filter((name) => !this.#needed.includes(name));
    const optional = more.length === 0 ? "" : `, and may have ${more.join(", ")}`;
    return { refusal: `the line must have the columns ${this.#needed.join(", ")}${optional}` };
  }

  #readHeading(cells: readonly string[]): CsvRow {
    const columns = cells.map(plain);
    const missing = this.#needed.filter((name) => !columns.includes(name));
    if (missing.length > 0) return { refusal: `the heading must name ${missing.join(", ")}` };
    this.#columns = columns;
    return "heading";
  }
}
