import fc from "fast-check";
import { expect, test } from "vitest";
import { marksIn } from "../../../../page/src/market/axis-marks.ts";
import { cases } from "../../../support/cases.ts";

const texts = (from: number, to: number, most = 5): readonly string[] =>
  marksIn(from, to, most).map(({ text }) => text);

test("marks have the digits of their step, whatever the price", () => {
  expect(texts(0.000000000118, 0.000000000132)).toEqual([
    "0.000000000120",
    "0.000000000125",
    "0.000000000130",
  ]);
  expect(texts(0.000008501, 0.000008525, 4)).toEqual(["0.00000851", "0.00000852"]);
  expect(texts(1_000_000_000, 1_000_000_009.25)).toEqual(["1000000000", "1000000005"]);
  expect(texts(0, 400)).toEqual(["0", "100", "200", "300", "400"]);
});

test("a range without a width has no marks", () => {
  expect([texts(5, 5), texts(5, 4), texts(Number.NaN, 1)]).toEqual([[], [], []]);
});

test("marks differ, lie in the range, are as many as fit, and are true to half a unit of their last place", () => {
  const range = fc
    .tuple(
      fc.double({ min: 1, max: 10, noNaN: true }),
      fc.integer({ min: -14, max: 12 }),
      fc.integer({ min: -9, max: 0 }),
    )
    .map(([digits, tens, width]) => {
      const from = digits * 10 ** tens;
      return { from, to: from + from * 10 ** width * digits };
    });
  fc.assert(
    fc.property(range, fc.integer({ min: 5, max: 12 }), ({ from, to }, most) => {
      const marks = marksIn(from, to, most);
      expect(marks.length).toBeGreaterThanOrEqual(1);
      expect(marks.length).toBeLessThanOrEqual(most);
      expect(new Set(marks.map(({ text }) => text)).size).toBe(marks.length);
      const ulps = 4 * Number.EPSILON * to;
      for (const { at, text } of marks) {
        expect(at).toBeGreaterThanOrEqual(from - ulps);
        expect(at).toBeLessThanOrEqual(to + ulps);
        const places = text.split(".")[1]?.length ?? 0;
        expect(Math.abs(Number(text) - at)).toBeLessThanOrEqual(10 ** -places / 2 + ulps);
      }
    }),
    { numRuns: cases(300) },
  );
});
