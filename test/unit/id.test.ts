import { describe, expect, test } from "vitest";
import { isId, isOwnerId, isRequestId } from "../../lib/id.ts";

describe("an id", () => {
  test.each([
    "a",
    "Z9._~:@-",
    "9f2c@GA",
    "@",
    "00000000-0000-0000-0000-000000000001",
    "tx_123",
    "...",
    ".a",
    "a".repeat(128),
  ])("may be %s", (text) => expect(isId(text)).toBe(true));

  test.each([
    ["empty", ""],
    ["longer than 128 characters", "a".repeat(129)],
    ["a dot, which a path loses", "."],
    ["two dots, which a path loses", ".."],
    ["with a slash", "a/b"],
    ["with a percent sign", "%00"],
    ["with a space", "a b"],
    ["with a hash sign, which separates keys", "a#b"],
    ["with a letter beyond ASCII", "é"],
    ["followed by a line end", "a\n"],
  ])("is not %s", (_what, text) => expect(isId(text)).toBe(false));
});

describe("a request id", () => {
  test.each([
    "INV 2026/11 +A=",
    " ",
    "..",
    "a#b%23&c?d",
    '<a>, "b"',
    "счёт-7",
    "\u200b\u2028",
    "a".repeat(128),
    "é".repeat(128),
    "😀".repeat(128),
  ])("may be %j", (text) => expect(isRequestId(text)).toBe(true));

  test.each([
    ["empty", ""],
    ["longer than 128 characters", "a".repeat(129)],
    ["longer than 128 characters beyond 16 bits", "😀".repeat(129)],
    ["with a line end", "a\n"],
    ["with a null", "a\0b"],
    ["with a delete", "a\x7f"],
    ["with a control character of the second block", "\x9b31m"],
    ["with half of a character", "a\ud83d"],
  ])("is not %s", (_what, text) => expect(isRequestId(text)).toBe(false));
});

describe("an owner", () => {
  test("may be any text of 1 to 1,535 bytes of UTF-8", () => {
    expect(isOwnerId("https://id.example/users/42#é")).toBe(true);
    expect(isOwnerId(`${"é".repeat(767)}a`)).toBe(true);
    expect(isOwnerId("é".repeat(768))).toBe(false);
    expect(isOwnerId("")).toBe(false);
  });

  test("is well-formed Unicode", () => expect(isOwnerId("a\ud800")).toBe(false));
});
