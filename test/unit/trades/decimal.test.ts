import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalOf, decimalText, decimalViolation } from "../../../lib/trades/decimal.ts";
import { cases } from "../../support/cases.ts";

const whole = fc.oneof(fc.constant("0"), fc.stringMatching(/^[1-9]\d{0,18}$/));
const plain = fc
  .tuple(whole, fc.option(fc.stringMatching(/^\d{1,19}$/), { nil: undefined }))
  .map(([before, after]) => (after === undefined ? before : `${before}.${after}`));

test("every plain decimal is good, counts units of its last digit, and is written again to the letter", () => {
  fc.assert(
    fc.property(plain, (text) => {
      expect(decimalViolation(text)).toBeUndefined();
      const { mantissa, scale } = decimalOf(text);
      expect(scale).toBe(text.includes(".") ? text.length - text.indexOf(".") - 1 : 0);
      expect(mantissa).toBe(BigInt(text.replace(".", "")));
      expect(decimalText(mantissa, scale)).toBe(text);
      if (mantissa <= 2n ** 53n) expect(decimalText(Number(mantissa), scale)).toBe(text);
    }),
    { numRuns: cases(100) },
  );
});

describe("a text that is not a plain decimal is refused by its own rule", () => {
  const plainRule = "must be a plain decimal such as 100.00: digits, and a point before decimals";
  const negativeRule = "must not be negative: the side of a trade has its own member";
  const exponentRule = "must be written in plain digits, without an exponent";
  const lengthRule = "must have 38 digits at most";
  test.each([
    ["1e5", exponentRule],
    ["-12.50E-12", exponentRule],
    ["+1E+22", exponentRule],
    ["-1", negativeRule],
    ["-0.00", negativeRule],
    ["1e", plainRule],
    ["e5", plainRule],
    ["x1e5", plainRule],
    ["1e5x", plainRule],
    ["1.e5", plainRule],
    ["--1", plainRule],
    ["x-1", plainRule],
    ["+1", plainRule],
    ["", plainRule],
    [".5", plainRule],
    ["1.", plainRule],
    ["01", plainRule],
    ["1,5", plainRule],
    ["1.5.0", plainRule],
    ["1 ", plainRule],
    ["\u0661", plainRule],
    ["9".repeat(39), lengthRule],
    [`0.${"0".repeat(38)}`, lengthRule],
    ["9".repeat(38), undefined],
    [`0.${"0".repeat(37)}`, undefined],
  ])("%j: %s", (text, violation) => expect(decimalViolation(text)).toBe(violation));
});
