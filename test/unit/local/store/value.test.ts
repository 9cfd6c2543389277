import { describe, expect, test } from "vitest";
import { compareValues, itemBytes, valueBytes } from "../../../../local/store/value/attribute-value.ts";
import { numberBytes, numberOf } from "../../../../local/store/value/number.ts";
import { valueFault } from "../../../../local/store/value/value-fault.ts";

describe("numbers", () => {
  test.each([
    ["0", 1],
    ["-0", 1],
    ["1", 2],
    ["12", 2],
    ["123", 3],
    ["0042", 2],
    ["100", 2],
    ["1010", 3],
    ["1E125", 2],
    ["1E-100", 2],
    ["0.0000001", 2],
    ["0.15", 2],
    ["1.5", 3],
    ["1.200", 3],
    ["1.234", 4],
    ["3.14159", 5],
    ["123456", 4],
    ["100.5", 4],
    ["-42", 3],
    ["1".repeat(38), 20],
  ])("%s takes the %i bytes that AWS was measured to charge", (text, bytes) => {
    const number = numberOf(text);
    expect(number && numberBytes(number)).toBe(bytes);
  });

  test.each(["", " 1", "1 ", "one", "0x1", "1e", ".", "NaN", "Infinity", "1,5", "--1"])(
    "%j is not a number",
    (text) => {
      expect(numberOf(text)).toBeUndefined();
    },
  );

  test("signs, points and zeros are written in any way that DynamoDB reads", () => {
    for (const text of ["+3", ".123", "5.", "0001.23", "1e+5", "0e1000", "-17.4E37"])
      expect(numberOf(text), text).toBeDefined();
  });

  test("a text is read or refused quickly, however long it is and wherever its fault is", () => {
    const many = 3_000_000;
    for (const text of [
      `1${"0".repeat(many)}1`,
      `${"1".repeat(many)}x`,
      `1.${"0".repeat(many)}`,
      `1e${"1".repeat(many)}x`,
    ])
      expect(valueFault({ N: text })?.kind).toBe("number");
    // A set of the greatest size is read number by number.
    const longest = `${"1".repeat(999)}x`;
    for (let at = 0; at < 4_000; at += 1) expect(numberOf(longest)).toBeUndefined();
  });

  test("a number is read up to 1,000 characters", () => {
    expect(numberOf(`1.${"0".repeat(998)}`)?.digits).toBe("1");
    expect(numberOf(`1.${"0".repeat(999)}`)).toBeUndefined();
  });
});

describe("order", () => {
  test("numbers are ordered by value", () => {
    const texts = ["-1E125", "-20", "-3", "-2.5", "0", "1E-130", "0.09", "0.1", "9", "10", "9.99E125"];
    const shuffled = texts.toReversed();
    expect(shuffled.sort((one, two) => compareValues({ N: one }, { N: two }) ?? Number.NaN)).toEqual(texts);
  });

  test("texts are ordered by their UTF-8 bytes, not by their UTF-16 units", () => {
    expect(compareValues({ S: "\u{ff5e}" }, { S: "\u{1f600}" })).toBeLessThan(0);
  });

  test("binary values are ordered by their bytes, not by their Base64", () => {
    const binary = (byte: number) => ({ B: Buffer.from([byte]).toString("base64") });
    expect(compareValues(binary(0), binary(0xfb))).toBeLessThan(0);
  });

  test("values of two types, and values that are not scalars, have no order", () => {
    expect(compareValues({ S: "1" }, { N: "1" })).toBeUndefined();
    expect(compareValues({ BOOL: true }, { BOOL: true })).toBeUndefined();
  });
});

describe("sizes", () => {
  test.each([
    [{ S: "é" }, 2],
    [{ B: "AAAA" }, 3],
    [{ NULL: true }, 1],
    [{ BOOL: false }, 1],
    [{ SS: ["a", "bc"] }, 3],
    [{ NS: ["1", "123"] }, 5],
    [{ L: [] }, 3],
    [{ L: [{ S: "a" }, { S: "b" }] }, 7],
    [{ M: { ab: { S: "c" } } }, 7],
  ])("%j takes %i bytes", (value, bytes) => {
    expect(valueBytes(value)).toBe(bytes);
  });

  test("the developer guide's own example takes 23 bytes", () => {
    expect(itemBytes({ "shirt-color": { S: "R" }, "shirt-size": { S: "M" } })).toBe(23);
  });
});

describe("faults", () => {
  test("an empty list on level 32 has no level 33", () => {
    const deep = (levels: number): object => (levels === 1 ? { L: [] } : { L: [deep(levels - 1)] });
    expect(valueFault(deep(32))).toBeUndefined();
  });

  test("a fault is found at any depth", () => {
    expect(valueFault({ M: { a: { L: [{ S: "x" }, { NS: ["1", "x"] }] } } })?.kind).toBe("number");
  });

  test("members that are not data types are ignored, as on AWS", () => {
    expect(valueFault({ S: "x", comment: 1 })).toBeUndefined();
    expect(valueFault({ S: "x", N: null })).toBeUndefined();
  });
});
