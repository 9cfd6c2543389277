import { describe, expect, test } from "vitest";
import { ambiguityOf, decodeSignature, signedText } from "../../../lib/signature/canonical-request.ts";

const parts = {
  timestamp: "1795554000000",
  method: "GET",
  path: "/1.0/trades/all/BTC-USD",
  rawQuery: "limit=10",
};

test("the signed text is timestamp, method, path and query as they came, with nothing between or changed", () => {
  expect(signedText({ ...parts, rawQuery: "b=%2f&a=1&a=+" })).toBe(
    "1795554000000GET/1.0/trades/all/BTC-USDb=%2f&a=1&a=+",
  );
});

describe("a signed text that could be cut in another way is ambiguous", () => {
  test.each([
    ["a body", parts, true],
    ["a question mark in the path", { ...parts, path: "/1.0/trades/all/BTC-USD?limit=1" }, false],
    ["a hash in the path", { ...parts, path: "/1.0/trades/all/BTC-USD#x" }, false],
    ["a query that begins in upper case", { ...parts, rawQuery: "USDlimit=10" }, false],
    ["a query that begins with a digit", { ...parts, rawQuery: "1=1" }, false],
    ["a query that begins with a percent sign", { ...parts, rawQuery: "%6cimit=10" }, false],
    ["a query that begins with an ampersand", { ...parts, rawQuery: "&limit=10" }, false],
    ["a query that begins with a line end", { ...parts, rawQuery: "\nlimit=10" }, false],
  ])("%s", (_, signed, hasBody) => {
    expect(ambiguityOf(signed, hasBody)).toBeTypeOf("string");
  });

  test.each(["", "a", "limit=10", "z=?&x=#"])("a query of %o is not", (rawQuery) => {
    expect(ambiguityOf({ ...parts, rawQuery }, false)).toBeUndefined();
  });
});

describe("a signature has one spelling", () => {
  const bytes = Buffer.from(Array.from({ length: 64 }, (_, at) => (at * 37 + 250) & 0xff));
  const text = bytes.toString("base64");

  test("padded standard Base64 of 64 bytes", () => {
    expect(text).toMatch(/[+/]/);
    expect(decodeSignature(text)).toEqual(bytes);
  });

  test("no other last symbol stands for the same bytes", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const aliases = alphabet.split("").filter((symbol) => {
      const alias = `${text.slice(0, 85)}${symbol}==`;
      return Buffer.from(alias, "base64").equals(bytes);
    });
    expect(aliases).toHaveLength(16);
    const accepted = aliases.filter((symbol) => decodeSignature(`${text.slice(0, 85)}${symbol}==`));
    expect(accepted).toEqual([text[85]]);
  });

  test.each([
    ["base64url", bytes.toString("base64url")],
    ["padded base64url", text.replaceAll("+", "-").replaceAll("/", "_")],
    ["no padding", text.slice(0, 86)],
    ["half the padding", text.slice(0, 87)],
    ["a space inside", `${text.slice(0, 40)} ${text.slice(40)}`],
    ["other characters inside", `${text.slice(0, 40)}!*${text.slice(40)}`],
    ["a line end", `${text}\n`],
    ["something after it", `${text}garbage`],
    ["two joined by a comma", `${text},${text}`],
    ["hex", bytes.toString("hex")],
    ["63 bytes", bytes.subarray(1).toString("base64")],
    ["nothing", ""],
  ])("%s: refused", (_, spelling) => {
    expect(decodeSignature(spelling)).toBeUndefined();
  });
});
