import { describe, expect, test } from "vitest";
import { parseOwnerId, parseSubject } from "../../../../ops/arguments/parse-owner-id.ts";

const controls = ["\u0000", "\u0007", "\t", "\n", "\r", "\u001b[2J", "\u007f", "\u009b31m"];

describe("the id of an owner that an operator names", () => {
  test.each(controls)("has no control character, such as %j", (control) => {
    expect(() => parseOwnerId(`acme${control}`)).toThrow("control characters");
  });

  test.each(["acme", "Ünïcode 株式会社", "a b", "x".repeat(256)])(
    "may be any other text, such as %j",
    (id) => {
      expect(parseOwnerId(id)).toBe(id);
    },
  );

  test.each(["", "\ud800"])("is text and not empty, unlike %j", (id) => {
    expect(() => parseOwnerId(id)).toThrow(RangeError);
  });
});

test.each(controls)("a subject may be blocked whatever its issuer called it, as with %j", (control) => {
  expect(parseSubject(`acme${control}`)).toBe(`acme${control}`);
});
