import { readFile, writeFile } from "node:fs/promises";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import type { Column, Dataset, Row } from "./datasets.ts";

/** Rows of a row group: they are in memory together, and Ctrl-C waits for the writing of one. */
const GROUP_ROWS = 20_000;
/** Bytes of a decimal of 38 digits. */
const DECIMAL_BYTES = 16;

/** What a column is in the file. A scale is that of a decimal. */
type FileColumn = Column & { readonly scale: number | undefined };

/** The types of a file's columns, by name, such as `DECIMAL(38, 8)`. */
export type ColumnTypes = Readonly<Record<string, string>>;

/** What is made a Parquet file. */
export interface ParquetSource {
  readonly dataset: Dataset;
  /** The records' lines of JSON, from the beginning each time. */
  readonly lines: () => AsyncIterable<string>;
  /** Ends the work between two row groups. */
  readonly signal: AbortSignal;
}

/**
 * Writes a Parquet file. Decimals are exact: a column of amounts has the scale of its longest fraction, and is text
 * when 38 digits do not hold every value of it. Instants are in UTC. The same lines give the same bytes.
 *
 * @returns the types of the columns.
 * @throws the reason of the signal, once it is aborted.
 */
export async function writeParquet(path: string, source: ParquetSource): Promise<ColumnTypes> {
  const columns = await fitColumns(source);
  const root = { name: "root", num_children: columns.length };
  const schema = [root, ...columns.map(elementOf)];
  const writer = new ParquetWriter({ writer: fileWriter(path), schema, createdBy: "countinghouse" });
  let isEmpty = true;
  for await (const rows of groupsOf(source)) {
    isEmpty = false;
    const columnData = columns.map((column, at) => ({
      name: column.name,
      data: rows.map((row) => parquetValue(row[at], column)),
    }));
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
  }
  await writer.finish();
  if (isEmpty) await typeRowGroups(path);
  return Object.fromEntries(columns.map((column) => [column.name, typeName(column)]));
}

/**
 * In a file without rows, the number of rows and the list of row groups (Thrift's compact protocol): 0, and a list of no
 * elements and of no type, as the library writes it. The name of the writer follows.
 */
const UNTYPED = Buffer.from([0x16, 0x00, 0x19, 0x00, 0x28]);
const STRUCT = 0x0c;

/** Gives the empty list of row groups the type of its elements, without which strict readers refuse the file. */
async function typeRowGroups(path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = bytes.lastIndexOf(UNTYPED);
  if (at < 0) throw new Error("The list of row groups was not found.");
  bytes[at + 3] = STRUCT;
  await writeFile(path, bytes);
}

/** Reads all lines once to learn the scales. */
async function fitColumns({ dataset, lines, signal }: ParquetSource): Promise<readonly FileColumn[]> {
  const fits = dataset.columns.map(({ kind }) => (kind === "amount" ? new DecimalFit() : undefined));
  for await (const line of lines()) {
    signal.throwIfAborted();
    for (const row of dataset.rowsOf(line))
      for (const [at, value] of row.entries()) if (value !== undefined) fits[at]?.see(value);
  }
  return dataset.columns.map((column, at) => ({ ...column, scale: fits[at]?.scale }));
}

async function* groupsOf({ dataset, lines, signal }: ParquetSource): AsyncGenerator<readonly Row[]> {
  let rows: Row[] = [];
  for await (const line of lines()) {
    signal.throwIfAborted();
    rows.push(...dataset.rowsOf(line));
    if (rows.length < GROUP_ROWS) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** Older readers know the converted type of an instant alone, and for others that type has no zone. */
const INSTANT = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" } as const;

function elementOf({ name, kind, scale }: FileColumn) {
  const element = { name, repetition_type: "OPTIONAL" } as const;
  if (kind === "instant")
    return { ...element, type: "INT64", converted_type: "TIMESTAMP_MILLIS", logical_type: INSTANT } as const;
  if (scale === undefined) return { ...element, type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
  const decimal = { converted_type: "DECIMAL", precision: PRECISION_MAX, scale } as const;
  return { ...element, ...decimal, type: "FIXED_LEN_BYTE_ARRAY", type_length: DECIMAL_BYTES } as const;
}

function typeName({ kind, scale }: FileColumn): string {
  if (kind === "instant") return "TIMESTAMP(isAdjustedToUTC, MILLIS)";
  return scale === undefined ? "STRING" : `DECIMAL(${PRECISION_MAX}, ${scale})`;
}

function parquetValue(
  value: string | undefined,
  { kind, scale }: FileColumn,
): string | bigint | Date | undefined {
  if (value === undefined) return undefined;
  if (kind === "instant") return new Date(Number(value));
  return scale === undefined ? value : unscaled(value, scale);
}

/** The most digits of a decimal that readers of Parquet agree on. */
const PRECISION_MAX = 38;

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Finds the scale of a column: the digits after the point that hold every value of the column exactly. */
export class DecimalFit {
  #wholeDigits = 0;
  #scale = 0;
  #isPlain = true;

  /** Sees a value of the column. */
  see(text: string): void {
    const [, , whole = "", fraction = ""] = PLAIN.exec(text) ?? [];
    if (whole === "") this.#isPlain = false;
    this.#wholeDigits = Math.max(this.#wholeDigits, whole.replace(/^0+/, "").length);
    this.#scale = Math.max(this.#scale, fraction.length);
  }

  /** Undefined when no scale holds every value: one has an exponent, or all of them together need too many digits. */
  get scale(): number | undefined {
    return this.#isPlain && this.#wholeDigits + this.#scale <= PRECISION_MAX ? this.#scale : undefined;
  }
}

/** A plain decimal times ten to the power of `scale`, which has to be at least the number of its fraction's digits. */
export function unscaled(text: string, scale: number): bigint {
  const [, sign = "", whole = "", fraction = ""] = PLAIN.exec(text) ?? [];
  return BigInt(`${sign}${whole}${fraction.padEnd(scale, "0")}`);
}
