import { OperatorError } from "../../local/process/operator-error.ts";
import { terminalText } from "../terminal/terminal-text.ts";

/** A form of file that imports do not read: its first bytes, what it is, and what to do. */
interface FileForm {
  readonly magic: Buffer;
  /** Where the bytes stand; at the beginning unless given. */
  readonly at?: number;
  readonly name: string;
  /** The program that unpacks it to standard output; without one, `way` says what to do. */
  readonly unpack?: string;
  readonly way?: string;
}

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const text = (value: string): Buffer => Buffer.from(value, "latin1");
const UNPACK = "Unpack it, and import the file that is in it.";
const SAVE_AS_CSV = "Save the sheet as CSV or NDJSON, and import that.";
const SAVE_AS_UTF_8 = "Save it as UTF-8 and import it again.";
const WRITE_LINES = "Write its records as NDJSON, and import that.";
const SHEET = "a spreadsheet (.xlsx)";
/** A file that is in each zip archive that is a spreadsheet, and mostly its first. */
export const SHEET_ENTRY = "[Content_Types].xml";

const FORMS: readonly FileForm[] = [
  { magic: bytes(0xff, 0xfe), name: "UTF-16 text", way: SAVE_AS_UTF_8 },
  { magic: bytes(0xfe, 0xff), name: "UTF-16 text", way: SAVE_AS_UTF_8 },
  { magic: bytes(0x28, 0xb5, 0x2f, 0xfd), name: "packed by Zstandard", unpack: "zstd -dc" },
  { magic: bytes(0xfd, 0x37, 0x7a, 0x58, 0x5a), name: "packed by xz", unpack: "xz -dc" },
  { magic: bytes(0x5d, 0x00, 0x00), name: "packed by LZMA", unpack: "xz -dc" },
  { magic: bytes(0x1f, 0x9d), name: "packed by compress", unpack: "gzip -dc" },
  { magic: text("BZh"), name: "packed by bzip2", unpack: "bzip2 -dc" },
  { magic: bytes(0x04, 0x22, 0x4d, 0x18), name: "packed by lz4", unpack: "lz4 -dc" },
  { magic: text(SHEET_ENTRY), at: 30, name: SHEET, way: SAVE_AS_CSV },
  { magic: text("PK\u0003\u0004"), name: "a zip archive", way: UNPACK },
  { magic: text("PK\u0005\u0006"), name: "an empty zip archive", way: UNPACK },
  { magic: text("7z\u00bc\u00af"), name: "a 7z archive", way: UNPACK },
  { magic: text("Rar!"), name: "a RAR archive", way: UNPACK },
  { magic: text("ustar"), at: 257, name: "a tar archive", way: UNPACK },
  { magic: bytes(0xd0, 0xcf, 0x11, 0xe0), name: "a spreadsheet (.xls)", way: SAVE_AS_CSV },
  { magic: text("PAR1"), name: "a Parquet file", way: WRITE_LINES },
  { magic: text("Obj\u0001"), name: "an Avro file", way: WRITE_LINES },
  { magic: text("%PDF-"), name: "a PDF document", way: WRITE_LINES },
];

/** As many bytes as tell one form from all others, but for archives of tar. */
export const HEAD_BYTES = 5;

/**
 * Refuses a file by its first bytes: no line of it could be read, and the refusals of all its lines would say nothing.
 *
 * @throws {OperatorError} with what the file is, and what to do.
 */
export function requireText(name: string, head: Buffer): void {
  const form = FORMS.find(({ magic, at = 0 }) => head.subarray(at, at + magic.length).equals(magic));
  if (form === undefined) return;
  const { unpack, way = `Unpack it first: \`${unpack} FILE | … -\`, with - in the place of the file.` } =
    form;
  throw new OperatorError(`${terminalText(name)} is ${form.name}. ${way}`);
}

/** The refusal of a zip archive that is a spreadsheet. */
export const sheetError = (name: string): OperatorError =>
  new OperatorError(`${terminalText(name)} is ${SHEET}. ${SAVE_AS_CSV}`);
