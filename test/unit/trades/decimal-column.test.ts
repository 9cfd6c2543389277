import { describe, expect, test } from "vitest";
import { ByteReader, ByteWriter, zigzag } from "../../../lib/trades/bytes.ts";
import { readDecimals } from "../../../lib/trades/decimal-column.ts";

/** Reads a column of prices as it stands in a segment: its scales, then the steps from one mantissa to the next. */
function readPrices(scales: readonly number[], steps: readonly number[]) {
  const writer = new ByteWriter();
  writer.byte(0);
  for (const scale of scales) writer.byte(scale);
  for (const step of steps) writer.number(zigzag(step));
  return readDecimals(new ByteReader(writer.bytes()), scales.length, "steps");
}

describe("a column of decimals is refused whole", () => {
  const outOfBounds = new RangeError("A decimal is out of bounds.");

  test("where one of them has more digits after the point than any decimal", () => {
    expect(readPrices([0, 37], [1, 1]).mantissas).toEqual([1, 2]);
    for (const scales of [
      [0, 38],
      [38, 0],
    ])
      expect(() => readPrices(scales, [1, 1])).toThrow(outOfBounds);
  });

  test("where one of them is negative", () => {
    expect(readPrices([0, 0], [5, -5]).mantissas).toEqual([5, 0]);
    for (const steps of [
      [5, -6],
      [-1, 2],
    ])
      expect(() => readPrices([0, 0], steps)).toThrow(outOfBounds);
  });
});
