import { expect, test } from "vitest";
import { givenText } from "../../infra/settings/given-text.ts";

test.each([
  ["plain text", Buffer.from("Zoë €"), "Zoë €"],
  ["a byte order mark", Buffer.from("\u{feff}{}"), "{}"],
  [
    "white space around it, also before and behind a byte order mark",
    Buffer.from("\u{feff} \r\n{}\t\n\n"),
    "{}",
  ],
  ["nothing", Buffer.alloc(0), ""],
  ["a byte order mark and nothing", Buffer.from("\u{feff}"), ""],
  ["white space inside it", Buffer.from(" a\n b \n"), "a\n b"],
  ["a replacement character that was sent", Buffer.from("\u{fffd}"), "\u{fffd}"],
])("of %s the text is known", (_what, bytes, text) => expect(givenText(bytes)).toBe(text));

test.each([
  ["Latin-1", Buffer.from("Café", "latin1")],
  ["UTF-16", Buffer.from("\u{feff}{}", "utf16le")],
  ["a character that was cut", Buffer.from("€").subarray(0, 2)],
  ["half of a surrogate pair", Buffer.from([0xed, 0xa0, 0x80])],
  ["a character in too many bytes", Buffer.from([0xc0, 0xaf])],
])("%s is not a text", (_what, bytes) => expect(givenText(bytes)).toBeUndefined());
