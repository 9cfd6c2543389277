import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isExact, toNumber } from "../../../client/src/index.ts";

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom("0", "1", "2", "5", "9"), minLength, maxLength });
const decimals = fc
  .tuple(
    fc.constantFrom("", "-"),
    digits(1, 22),
    fc.option(digits(1, 22), { nil: undefined }),
    fc.option(fc.integer({ min: -30, max: 30 }), { nil: undefined }),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === undefined ? "" : `.${fraction}`}${exponent === undefined ? "" : `e${exponent}`}`,
  );

/** The value of a decimal as a count of 10^-80. */
function countOf(text: string): bigint {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? [];
  const count = BigInt(`${whole}${fraction}`) * 10n ** BigInt(80 + Number(exponent) - fraction.length);
  return sign === "-" ? -count : count;
}

describe("a decimal as a number", () => {
  test.each([
    ["33.80", 33.8, true],
    ["0.991438254750782685", 0.9914382547507827, false],
    ["-1200.50", -1200.5, true],
    ["9007199254740993", 9007199254740992, false],
    ["9007199254740992", 9007199254740992, true],
    ["0.00", 0, true],
    ["-0", -0, true],
    ["1e2", 100, true],
    ["1e-400", 0, false],
    ["1e400", Number.POSITIVE_INFINITY, false],
  ])("%s is %d, and exact: %s", (text, number, exact) => {
    expect(toNumber(text)).toBe(number);
    expect(isExact(text)).toBe(exact);
  });

  test("is exact if and only if the number prints with the same value", () => {
    fc.assert(
      fc.property(decimals, (text) => {
        expect(isExact(text)).toBe(countOf(String(toNumber(text))) === countOf(text));
      }),
    );
  });

  test.each(["", "1.", ".5", "1,5", "EUR 1", "0x10", "NaN", "Infinity", " 1"])("%j is refused", (text) => {
    expect(() => toNumber(text)).toThrow(RangeError);
    expect(() => isExact(text)).toThrow(RangeError);
  });
});
