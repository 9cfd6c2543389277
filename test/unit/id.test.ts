import { describe, expect, test } from "vitest";
import { isId, isOwnerId, isRequestId, isStoredOwner, isSubject } from "../../lib/id.ts";

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
  test.each(["https://id.example/users/42#é", "Fabrik & Söhne GmbH", "a", "😀".repeat(256)])(
    "that gets records or keys may be called %j",
    (text) => expect([isOwnerId(text), isSubject(text), isStoredOwner(text)]).toEqual([true, true, true]),
  );

  test.each([
    ["spaces at an end", "fb "],
    ["other white space at an end", "\u00a0fb"],
    ["a space that looks like the plain one", "f\u2003b"],
    ["a line end", "f\nb"],
    ["a character without width", "fb\u200b"],
    ["a byte order mark", "\ufefffb"],
    ["a soft hyphen", "f\u00adb"],
    ["a filler", "fb\u3164"],
    ["a blank of Braille", "fb\u2800"],
    ["a tag", "fb\u{e0041}"],
    ["a change of direction", "f\u202eb"],
    ["a code point that is not a character", "fb\uffff"],
  ])("that gets records or keys has no %s; one that has it keeps its records and its tokens", (_what, text) =>
    expect([isOwnerId(text), isSubject(text), isStoredOwner(text)]).toEqual([false, true, true]),
  );

  test.each(["", "a\ud800"])("is never called %j", (text) =>
    expect([isOwnerId(text), isSubject(text), isStoredOwner(text)]).toEqual([false, false, false]),
  );

  test("has 256 characters at most, at every door, and keeps what was stored with more", () => {
    for (const text of ["a".repeat(257), "😀".repeat(257)])
      expect([isOwnerId(text), isSubject(text), isStoredOwner(text)]).toEqual([false, false, true]);
    expect(isStoredOwner(`${"é".repeat(767)}a`)).toBe(true);
    expect(isStoredOwner("é".repeat(768))).toBe(false);
  });
});
