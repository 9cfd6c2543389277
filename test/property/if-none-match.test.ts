import * as fc from "fast-check";
import { expect, test } from "vitest";
import { matchesIfNoneMatch } from "../../lib/passes/entity-tag.ts";
import { cases } from "../support/cases.ts";

/**
 * RFC 9110 read once more, letter by letter: `If-None-Match = "*" / #entity-tag`. Returns the opaque tags that a header
 * names, `"*"` for any, or undefined for a header that the grammar does not produce.
 */
function readByGrammar(header: string): string[] | "*" | undefined {
  const characters = Array.from(header);
  const blank = (character: string | undefined) => character === " " || character === "\t";
  let at = 0;
  const skipBlanks = () => {
    while (blank(characters[at])) at += 1;
  };
  skipBlanks();
  if (characters[at] === "*") {
    at += 1;
    skipBlanks();
    return at === characters.length ? "*" : undefined;
  }
  const tags: string[] = [];
  while (at < characters.length) {
    skipBlanks();
    if (characters[at] === ",") {
      at += 1;
      continue;
    }
    if (at === characters.length) break;
    if (characters[at] === "W" && characters[at + 1] === "/") at += 2;
    if (characters[at] !== '"') return undefined;
    at += 1;
    let opaque = "";
    while (characters[at] !== '"') {
      const code = characters[at]?.codePointAt(0) ?? 0;
      if (code < 0x21 || code === 0x7f) return undefined;
      opaque += characters[at];
      at += 1;
    }
    at += 1;
    tags.push(`"${opaque}"`);
    skipBlanks();
    if (at < characters.length && characters[at] !== ",") return undefined;
  }
  return tags;
}

const TAG = '"the,tag"';

/** Pieces of headers, right and wrong, and any character in between. */
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(TAG, `W/${TAG}`, '"other"', 'W/"a,b"', '""', ",", ", ", " ", "\t", "*"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '"',
      "W/",
      "w/",
      "W",
      "/",
      "the,tag",
      "the",
      ",tag",
      "\\",
      "\u00e9",
      "\u0000",
      "\u007f",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 3 }) },
);
const wellFormed = fc
  .array(
    fc.tuple(
      fc.constantFrom("", " ", "\t "),
      fc.constantFrom(TAG, `W/${TAG}`, '"x"', "", '"a,b"', '"*"'),
      fc.constantFrom("", " "),
    ),
    {
      maxLength: 6,
    },
  )
  .map((elements) => elements.map((element) => element.join("")).join(","));
const header = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
  wellFormed,
);

test("a header names the tag exactly when the grammar of RFC 9110 says so", () => {
  let named = 0;
  fc.assert(
    fc.property(header, (text) => {
      const read = readByGrammar(text);
      const expected = read === "*" || (read?.includes(TAG) ?? false);
      if (expected) named += 1;
      expect(matchesIfNoneMatch(text, TAG)).toBe(expected);
    }),
    { numRuns: cases(4_000) },
  );
  expect(named).toBeGreaterThan(500);
});
