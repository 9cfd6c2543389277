import { type ByteReader, type ByteWriter, unzigzag, unzigzagBigInt, zigzagBigInt } from "./bytes.ts";
import { DIGITS_MAX, decimalOf } from "./decimal.ts";
import type { DecimalColumn } from "./segment-columns.ts";

/** Up to this value, mantissas and the zigzag steps between them are exact as floats; such columns are read fast. */
const NARROW_MAX = 2n ** 51n;
const NARROW = 0;
const WIDE = 1;

/** The form of mantissas: prices lie near each other and are written as steps, quantities do not and stand whole. */
export type Layout = "steps" | "whole";

/** Writes a column of plain decimals: its width, all scales, then all mantissas, or the steps (zigzag) between them. */
export function writeDecimals(writer: ByteWriter, texts: readonly string[], layout: Layout): void {
  const decimals = texts.map(decimalOf);
  const isWide = decimals.some(({ mantissa }) => mantissa > NARROW_MAX);
  writer.byte(isWide ? WIDE : NARROW);
  for (const { scale } of decimals) writer.byte(scale);
  let before = 0n;
  for (const { mantissa } of decimals) {
    writer.bigInt(layout === "steps" ? zigzagBigInt(mantissa - before) : mantissa);
    before = mantissa;
  }
}

/** Reads a column that {@link writeDecimals} wrote. @throws {RangeError} for bytes that it cannot have written. */
export function readDecimals(reader: ByteReader, count: number, layout: Layout): DecimalColumn {
  const width = reader.byte();
  if (width > WIDE) throw new RangeError("The width of a column is not known.");
  const scales = Uint8Array.from({ length: count }, () => reader.byte());
  const mantissas = width === WIDE ? readWide(reader, count, layout) : readNarrow(reader, count, layout);
  const isBounded =
    scales.every((scale) => scale < DIGITS_MAX) && mantissas.every((mantissa) => mantissa >= 0);
  if (!isBounded) throw new RangeError("A decimal is out of bounds.");
  return { mantissas, scales };
}

function readNarrow(reader: ByteReader, count: number, layout: Layout): number[] {
  let mantissa = 0;
  return Array.from({ length: count }, () => {
    mantissa = layout === "steps" ? mantissa + unzigzag(reader.number()) : reader.number();
    return mantissa;
  });
}

function readWide(reader: ByteReader, count: number, layout: Layout): bigint[] {
  let mantissa = 0n;
  return Array.from({ length: count }, () => {
    mantissa = layout === "steps" ? mantissa + unzigzagBigInt(reader.bigInt()) : reader.bigInt();
    return mantissa;
  });
}
