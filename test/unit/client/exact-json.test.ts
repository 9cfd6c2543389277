import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTwice } from "../../../client/src/exact-json.ts";
import { cases } from "../../support/cases.ts";

/** A number as it may be written, which is to be found again as text. */
class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const numbers = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.bigInt({ min: 0n, max: 10n ** 30n }),
    fc.constantFrom("", ".0", ".50", ".123456789012345678", "e5", "E-7", ".5e+2"),
  )
  .map(([sign, whole, rest]) => new Written(`${sign}${whole}${rest}`));
const texts = fc.oneof(fc.string(), fc.constantFrom('1.5"', "\\", '\\"2', "-1", "1e5", "\n", "\u2028"));
/**
 * Names of members. V8 13.6 takes the name "\\n" for a backslash where it has seen a backslash as a name at that place,
 * with and without this package.
 */
const names = texts.filter((text) => !text.includes("\\"));

const { document: documents } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 4 },
    numbers,
    texts,
    fc.constantFrom(true, false, null),
    fc.array(tie("document"), { maxLength: 4 }),
    fc.dictionary(names, tie("document"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** JSON in which each number is written as it is. */
function write(value: unknown, space: string): string {
  if (value instanceof Written) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => write(item, space)).join(`,${space}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}${space}:${space}${write(member, space)}`,
  );
  return `{${members.join(",")}}`;
}

function asTexts(value: unknown): unknown {
  if (value instanceof Written) return value.text;
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== "object" || value === null) return value;
  // As JSON.parse makes members, so that `__proto__` is one too.
  const members = Object.entries(value).map(([name, member]) => [name, asTexts(member)]);
  return Object.fromEntries(members);
}

describe("a document that is parsed", () => {
  test("has every number as text of the digits that were sent, and everything else as it is", () => {
    fc.assert(
      fc.property(documents, fc.constantFrom("", " ", "\n\t"), (document, space) => {
        const text = write(document, space);
        const { plain, exact } = parseTwice(text);
        expect(exact).toEqual(asTexts(document));
        expect(plain).toEqual(JSON.parse(text));
      }),
    );
  });

  test("is refused if it is not JSON, as the platform refuses it", () => {
    const tokens = '{ } [ ] : , "a" " 1 01 - 1. .5 1e null x'.split(" ");
    const pieces = fc.array(fc.constantFrom(" ", ...tokens), { maxLength: 8 });
    const refusal = (parse: (text: string) => unknown, text: string): string | undefined => {
      try {
        parse(text);
        return undefined;
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(
      fc.property(pieces, (given) => {
        const text = given.join("");
        expect(refusal(parseTwice, text)).toBe(refusal(JSON.parse, text));
      }),
      { numRuns: cases(400) },
    );
  });

  test.each(["{1:2}", '{"a":01}', "[1 2]", '{"a":1', ""])("%s is refused", (text) => {
    expect(() => parseTwice(text)).toThrow(SyntaxError);
  });

  test("may be as large as a page", () => {
    const long = `["${"x".repeat(4_000_000)}",1.10]`;
    expect((parseTwice(long).exact as string[])[1]).toBe("1.10");
  });
});
