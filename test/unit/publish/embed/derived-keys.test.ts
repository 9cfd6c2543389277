import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isApiKey } from "../../../../lib/auth/credential.ts";
import { isExchangeApiKey } from "../../../../lib/auth/exchange-key.ts";
import { DerivedKeys, jwkOf, pemOf } from "../../../../publish/embed/world-files.ts";
import { cases } from "../../../support/cases.ts";

/** Everything that is derived, as texts. */
const textsOf = (keys: DerivedKeys, purpose: string): readonly string[] => [
  keys.bytes(purpose, 32).toString("base64url"),
  keys.symbols(purpose, 64),
  pemOf(keys.ed25519(purpose)),
  pemOf(keys.p256(purpose)),
];

const verifiesItself = (key: KeyObject, digest: string | null): boolean => {
  const sample = Buffer.from("sample");
  return verify(digest, sample, createPublicKey(key), sign(digest, sample, key));
};

describe("keys that are derived", () => {
  test("are the same for the same seed, world and purpose, and others for any difference", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string({ maxLength: 900 }), (seed, world, purpose) => {
        const texts = textsOf(new DerivedKeys(seed, world), purpose);
        expect(textsOf(new DerivedKeys(seed, world), purpose)).toEqual(texts);
        for (const other of [
          textsOf(new DerivedKeys(`${seed}.`, world), purpose),
          textsOf(new DerivedKeys(seed, `${world}.`), purpose),
          textsOf(new DerivedKeys(seed, world), `${purpose}.`),
        ])
          expect(other.filter((text) => texts.includes(text))).toEqual([]);
      }),
      { numRuns: cases(10) },
    );
  });

  test("are others for names that differ in zero bytes, halves of surrogate pairs or the seed's end", () => {
    const pairs = [
      ["s", "other"],
      ["s", "other\0"],
      ["s", "other\0\0"],
      ["s", "\ud800"],
      ["s", "\udbff"],
      ["s", "\ufffd"],
      ["\ud800", "other"],
      ["\udbff", "other"],
      ["so", "ther"],
      ["s", "x".repeat(64)],
      ["s", "x".repeat(65)],
      ["s", "x".repeat(5_000)],
    ] as const;
    const keys = pairs.map(([seed, world]) => new DerivedKeys(seed, world).symbols("a", 64));
    expect(new Set(keys).size).toBe(pairs.length);
  });

  test("are keys of their curves, and have the form of API keys", () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const keys = new DerivedKeys(seed, "world");
        expect(verifiesItself(keys.p256("a"), "sha256")).toBe(true);
        expect(verifiesItself(keys.ed25519("a"), null)).toBe(true);
        expect(isApiKey(keys.bytes("a", 32).toString("base64url"))).toBe(true);
        expect(isExchangeApiKey(keys.symbols("a", 64))).toBe(true);
      }),
      { numRuns: cases(10) },
    );
  });

  test("become JWKs that name themselves and their algorithm", async () => {
    const keys = new DerivedKeys("seed", "world");
    const ecdsa = await jwkOf(keys.p256("issuer"), "ES256");
    expect(ecdsa).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
    const eddsa = await jwkOf(keys.ed25519("pass"), "EdDSA");
    expect(eddsa).toMatchObject({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" });
    expect(new Set([ecdsa.kid, eddsa.kid]).size).toBe(2);
  });
});
