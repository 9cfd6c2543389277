import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readBase64url } from "../../lib/base64url.ts";
import { cases } from "../support/cases.ts";

test("bytes of any length come back from their spelling", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (given) => {
      const bytes = Buffer.from(given);
      expect(readBase64url(bytes.toString("base64url"))).toEqual(bytes);
    }),
  );
});

test("bytes have one spelling: only the text that is written for them is read", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from("AQgwEz09-_+/=. \n")), maxLength: 12 }),
      (text) => {
        const bytes = readBase64url(text);
        if (bytes !== undefined) expect(bytes.toString("base64url")).toBe(text);
      },
    ),
    { numRuns: cases(400) },
  );
});

test.each(["_w==", "_x", "/w", "_w_", "_", " _w", "_w\n", "_w.", "é"])("%j is not base64url", (text) => {
  expect(readBase64url(text)).toBeUndefined();
});
