import fc from "fast-check";
import { expect, test } from "vitest";
import { PublicKeyError, readRegistrableKey } from "../../local/credentials/public-key.ts";
import { cases } from "../support/cases.ts";
import { BASE, L, times } from "../support/edwards.ts";

/** Public keys of all sorts: among their spellings in Base64 are ones that begin with hex digits. */
const key = fc.bigInt({ min: 1n, max: L - 1n }).map((scalar) => Buffer.from(times(scalar, BASE).toBytes()));
const wrapped = (text: string, length: number, gap: string) =>
  text.replace(new RegExp(`.{${length}}`, "g"), (line) => `${line}${gap}`);

test("a public key is read alike in each of its spellings, whatever digits and letters it has", () => {
  const gap = fc.constantFrom("", " ", "\n", "\r\n  ");
  fc.assert(
    fc.property(key, gap, fc.integer({ min: 1, max: 64 }), (raw, gap, length) => {
      const base64 = raw.toString("base64");
      const spellings = [
        raw.toString("hex"),
        raw.toString("hex").toUpperCase(),
        base64,
        base64.slice(0, -1),
        raw.toString("base64url"),
      ];
      for (const spelling of spellings)
        expect(readRegistrableKey(wrapped(spelling, length, gap))).toBe(raw.toString("hex"));
    }),
    { numRuns: cases(10) },
  );
});

test("a spelling with a sign too many is not read as a key", () => {
  const sign = fc.constantFrom(..."0aF+/!\u00e9".split(""));
  fc.assert(
    fc.property(key, sign, fc.nat(64), (raw, sign, at) => {
      for (const spelling of [raw.toString("hex"), raw.toString("base64url")]) {
        const longer = `${spelling.slice(0, at)}${sign}${spelling.slice(at)}`;
        expect(() => readRegistrableKey(longer), longer).toThrow(PublicKeyError);
      }
    }),
  );
});
