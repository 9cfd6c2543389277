import { describe, expect, test } from "vitest";
import { isId, isOwnerId } from "../../lib/id.ts";

describe("an id", () => {
  test.each(["a", "Z9._~:-", "00000000-0000-0000-0000-000000000001", "tx_123", "...", ".a", "a".repeat(128)])(
    "may be %s",
    (text) => expect(isId(text)).toBe(true),
  );

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

describe("an owner", () => {
  test("may be any text of 1 to 1,900 bytes of UTF-8", () => {
    expect(isOwnerId("https://id.example/users/42#é")).toBe(true);
    expect(isOwnerId("é".repeat(950))).toBe(true);
    expect(isOwnerId(`${"é".repeat(950)}a`)).toBe(false);
    expect(isOwnerId("")).toBe(false);
  });

  test("is well-formed Unicode", () => expect(isOwnerId("a\ud800")).toBe(false));
});
