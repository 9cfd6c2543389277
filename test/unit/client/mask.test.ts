import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskOf } from "../../../client/src/mask.ts";

const KEY = `${"A".repeat(20)}SECRETkey/SECRETkey+SECRET${"z".repeat(18)}`;
const escapedAs = (before: string, after = "") =>
  Array.from(KEY, (letter) => before + letter.charCodeAt(0).toString(16) + after).join("");

describe("a secret is hidden", () => {
  const backwards = Array.from(KEY).toReversed().join("");
  const base64 = (text: string, alphabet: "base64" | "base64url") => Buffer.from(text).toString(alphabet);
  test.each([
    ["as it is", KEY],
    ["in small letters", KEY.toLowerCase()],
    ["backwards", backwards],
    ["in a URL", encodeURIComponent(KEY)],
    ["with each letter escaped for a URL", escapedAs("%")],
    ["with each letter escaped for JSON", escapedAs("\\u00")],
    ["with slashes escaped for JSON", KEY.replaceAll("/", "\\/")],
    ["with each letter escaped for HTML", escapedAs("&#x", ";")],
    ["with what is special escaped for HTML", KEY.replaceAll("/", "&#x2F;").replaceAll("+", "&#43;")],
    ["in hex", escapedAs("")],
    ["in Base64", base64(KEY, "base64")],
    ["in Base64 for URLs", base64(KEY, "base64url")],
    ["backwards in a URL", encodeURIComponent(backwards)],
  ])("%s", (_, echo) => {
    const shown = maskOf(["other-secret", KEY])(`The proxy was sent ${echo}!`);
    expect(shown).toMatch(/^The proxy was sent \(hidden\).{0,4}!$/);
  });

  test("in Base64 together with what stands around it", () => {
    for (const before of ["", "a", "Bearer ", "X-API-KEY: "]) {
      const echo = base64(`${before}${KEY}\r\nAccept: */*`, "base64");
      const shown = maskOf([KEY])(echo);
      expect(shown).toContain("(hidden)");
      expect(Buffer.from(shown.split("(hidden)").join(""), "base64").toString()).not.toContain("SECRET");
    }
  });
});

test("a text that has no secret stays as it is, whatever it has", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(maskOf([KEY, ""])(text)).toBe(text);
    }),
  );
});

test("a secret of a few letters is hidden only where it stands letter for letter", () => {
  expect(maskOf(["Key"])("Key key yeK")).toBe("(hidden) key yeK");
});

test("what a secret is made of has no meaning of its own", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8 }), (secret) => {
      expect(maskOf([secret])(`<${secret}>`)).not.toContain(`<${secret}>`);
    }),
  );
});
