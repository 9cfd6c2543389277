import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newApiKey } from "../../../../lib/auth/credential.ts";
import { newExchangeApiKey } from "../../../../lib/auth/exchange-key.ts";
import { printable } from "../../../../lib/printable.ts";
import { parseLabel, parseLabelOrNone } from "../../../../ops/arguments/label.ts";
import { parseReason } from "../../../../ops/arguments/told-reason.ts";

const accepted = (text: string, parse: (text: string) => unknown = parseLabel): boolean => {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

describe("a label", () => {
  test.each([
    "a",
    "payments server",
    "Büro 2, Zürich",
    "支付",
    "eu-west-1/blue (2026)",
    "x".repeat(31),
    "🔑",
  ])("may be %j", (text) => expect(parseLabel(text)).toBe(text));

  test("has no white space around it, and each letter in its shortest form", () => {
    expect(parseLabel("  Bu\u0308ro ")).toBe("Büro");
  });

  test("has 1 to 80 characters", () => {
    const words = (length: number): string =>
      "ab "
        .repeat(length)
        .slice(0, length - 1)
        .padEnd(length, "z");
    expect([80, 81].map((length) => accepted(words(length)))).toEqual([true, false]);
    expect([" ", ""].map((text) => [accepted(text), parseLabelOrNone(text)])).toEqual([
      [false, undefined],
      [false, undefined],
    ]);
  });

  test("has no character that a terminal acts on: what is accepted is printed as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 90 }), (text) => {
        if (accepted(text)) expect(printable(parseLabel(text))).toBe(parseLabel(text));
      }),
    );
    for (const text of ["a\u202eb", "a\u0000b", "a\u2028b", "a\ud800b"]) expect(accepted(text)).toBe(false);
  });

  const secrets: Readonly<Record<string, () => string>> = {
    "a ramp key": newApiKey,
    "an exchange key": newExchangeApiKey,
    "its SHA-256": () => randomBytes(32).toString("hex"),
    "128 bits in hex": () => randomBytes(16).toString("hex"),
    "a token": () =>
      `eyJhbGciOiJFUzI1NiJ9.${randomBytes(30).toString("base64url")}.${randomBytes(64).toString("base64url")}`,
    "a secret key of AWS": () => randomBytes(30).toString("base64"),
    "a private key": () => "-----BEGIN PRIVATE KEY-----",
  };

  test.each(Object.entries(secrets))("with %s in it is refused, and so is such a reason", (_, make) => {
    for (let round = 0; round < 200; round += 1) {
      const secret = make();
      for (const text of [secret, `key ${secret}`, `${secret}, the old one`]) {
        expect([text, accepted(text), accepted(text, parseReason)]).toEqual([text, false, false]);
      }
    }
  });
});
