import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExactJson, writeExactJson } from "../../lib/json/exact-json.ts";
import { cases } from "../support/cases.ts";

/** A name as a document may spell it: each of its characters as it is, or as an escape. */
const spelled = (name: string, escapes: readonly boolean[]): string => {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return name
    .split("")
    .map((sign, at) => (escapes[at] === true ? escaped(sign) : sign))
    .join("");
};

const digits = fc.stringMatching(/^\d{1,3}$/);
const escapes = fc.array(fc.boolean(), { maxLength: 3 });
const gap = fc.constantFrom("", " ", "\n", "\t ");
const member = fc.record({ name: fc.oneof(digits, fc.constantFrom("a", "b", ":", "-1")), escapes, gap });

test("members stay in their order and texts of digits as they are, however few of the names are digits and however they are spelled", () => {
  const members = fc.uniqueArray(member, { minLength: 1, maxLength: 3, selector: ({ name }) => name });
  fc.assert(
    fc.property(members, digits, gap, (drawn, value, after) => {
      const given = drawn.map(
        ({ name, escapes, gap }) => `"${spelled(name, escapes)}"${gap}:${after}"${value}"`,
      );
      const kept = drawn.map(({ name }) => `"${name}":"${value}"`);
      expect(writeExactJson(parseExactJson(`{${given.join(",")}}`) as object)).toBe(`{${kept.join(",")}}`);
    }),
    { numRuns: cases(200) },
  );
});
