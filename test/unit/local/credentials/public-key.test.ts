import { createHash, generateKeyPairSync } from "node:crypto";
import { Point } from "@noble/ed25519";
import { describe, expect, test } from "vitest";
import { PublicKeyError, readRegistrableKey } from "../../../../local/credentials/public-key.ts";
import { BASE, bytesOfNumber, smallOrderEncodings, times, torsionPoints } from "../../../support/edwards.ts";
import { thrownBy } from "../../../support/thrown-by.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
const hex = raw.toString("hex");
const pem = publicKey.export({ format: "pem", type: "spki" }).toString();
const der = publicKey.export({ format: "der", type: "spki" });
const privatePem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const privateDer = privateKey.export({ format: "der", type: "pkcs8" });
const seed = privateDer.subarray(-32);

function refusalOf(given: Uint8Array | string): string {
  const error = thrownBy(() => readRegistrableKey(given));
  expect(error).toBeInstanceOf(PublicKeyError);
  return (error as PublicKeyError).message;
}

describe("a public key is read in every usual form", () => {
  test.each([
    ["SPKI PEM", pem],
    ["SPKI PEM with Windows line ends and a byte order mark", `\uFEFF${pem.replaceAll("\n", "\r\n")}`],
    ["SPKI PEM as a file", Buffer.from(pem)],
    ["SPKI PEM in one line with blanks", pem.replaceAll("\n", " ")],
    ["SPKI PEM in one line in quotes", `"${pem.replaceAll("\n", "")}"`],
    ["SPKI PEM that is indented", pem.replaceAll("\n", "\n    ")],
    ["SPKI DER as a file", der],
    ["the body of a PEM", der.toString("base64")],
    ["hex", hex],
    ["upper-case hex with a line end", `${hex.toUpperCase()}\n`],
    ["Base64", raw.toString("base64")],
    ["Base64 without padding", raw.toString("base64").replace("=", "")],
    ["base64url", raw.toString("base64url")],
    ["its 32 bytes", raw],
    ["hex that xxd wrapped", `${hex.slice(0, 60)}\n${hex.slice(60)}\n`],
    ["hex with Windows line ends", `${hex.slice(0, 32)}\r\n${hex.slice(32)}\r\n`],
    ["hex in pairs", hex.replace(/../g, "$& ")],
    [
      "hex as openssl prints it",
      `${hex.replace(/../g, "$&:").slice(0, 45)}\n    ${hex.replace(/../g, "$&:").slice(45, -1)}`,
    ],
    ["Base64 that was wrapped", raw.toString("base64").replace(/.{20}/g, "$&\n")],
    ["PEM with text in front, as openssl prints it", `Public key\n${pem}`],
  ])("%s", (_, given) => {
    expect(readRegistrableKey(given)).toBe(hex);
  });
});

describe("of two keys it is not known which is meant", () => {
  const { publicKey: second } = generateKeyPairSync("ed25519");
  const [pem2, der2] = [
    second.export({ format: "pem", type: "spki" }).toString(),
    second.export({ format: "der", type: "spki" }),
  ];
  const hex2 = der2.subarray(-32).toString("hex");
  const base64Of = (bytes: Buffer) => bytes.toString("base64");

  test.each([
    ["PEM", pem + pem2],
    ["PEM without a line end between", (pem + pem2).replace("-\n-", "--")],
    ["PEM with text around", `old:\n${pem}new:\n${pem2}`],
    ["DER", Buffer.concat([der, der2])],
    ["the bodies of PEM", `${base64Of(der)}\n${base64Of(der2)}`],
    ["hex", `${hex}\n${hex2}\n`],
    ["hex in one line", `${hex} ${hex2}`],
    ["Base64", `${base64Of(raw)}\r\n${base64Of(der2.subarray(-32))}`],
    ["two spellings", `${hex}\n${base64Of(der2)}`],
    ["a raw key before PEM", `${base64Of(raw)}\n${pem2}`],
    ["PEM before a raw key", `${pem}new: ${hex2}\n`],
  ])("%s", (_, given) => expect(refusalOf(given)).toMatch(/^This holds 2 keys\./));

  test("more are counted as well, and one that stands there twice is one", () => {
    const third = hex.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
    expect(refusalOf([hex, hex2, raw.toString("base64"), third].join("\n"))).toMatch(/3 keys/);
    for (const given of [pem + pem, Buffer.concat([der, der]), `${hex}\n${base64Of(raw)}\n${base64Of(der)}`])
      expect(readRegistrableKey(given)).toBe(hex);
  });
});

describe("a private key is refused with what to do about it, and is not repeated", () => {
  test.each([
    ["PKCS8 PEM", privatePem],
    ["PKCS8 DER", privateDer],
    ["PKCS8 DER in Base64", privateDer.toString("base64")],
    ["PKCS8 DER in hex", privateDer.toString("hex")],
    ["seed and public key, 64 bytes in hex", seed.toString("hex") + hex],
    ["seed and public key in two lines", `${seed.toString("hex")}\n${hex}`],
    ["public key and seed in two lines", `${hex}\n${seed.toString("base64")}`],
    ["a public key before a private one", `${raw.toString("base64")}\n${privateDer.toString("base64")}`],
    ["PKCS8 under a public key's name", privatePem.replaceAll("PRIVATE", "PUBLIC")],
    ["a pair in Base58", `5${"K".repeat(87)}`],
    ["seed and public key in Base64", Buffer.concat([seed, raw]).toString("base64")],
    [
      "OpenSSH's form",
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n-----END OPENSSH PRIVATE KEY-----",
    ],
    ["an encrypted one", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMII=\n-----END ENCRYPTED PRIVATE KEY-----"],
    ["a file with both halves", `${pem}${privatePem}`],
    ["a private JWK", JSON.stringify(privateKey.export({ format: "jwk" }))],
    [
      "a private JWK with spaces",
      JSON.stringify(privateKey.export({ format: "jwk" })).replaceAll(":", " : "),
    ],
  ])("%s", (_, given) => {
    const message = refusalOf(given);
    expect(message).toMatch(/private key/);
    expect(message).toMatch(/register its public half/);
    expect(message).toContain("`openssl pkey -in private.pem -pubout`");
    for (const secret of [seed.toString("hex"), seed.toString("base64"), seed.toString("base64url")])
      expect(message).not.toContain(secret.slice(0, 12));
  });
});

describe("anything but an Ed25519 public key is refused and named", () => {
  const { publicKey: rsa } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { publicKey: x25519 } = generateKeyPairSync("x25519");
  const spki = { format: "pem", type: "spki" } as const;
  test.each([
    ["an RSA key", rsa.export(spki).toString(), /type rsa/],
    ["a key for encryption", x25519.export(spki).toString(), /type x25519/],
    ["a key for encryption as DER", x25519.export({ format: "der", type: "spki" }), /type x25519/],
    ["an RSA key as DER", rsa.export({ format: "der", type: "spki" }), /type rsa/],
    ["a certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", /CERTIFICATE/],
    [
      "PEM under no name that PEM has",
      "-----BEGIN key-----\nMIIB\n-----END key-----",
      /something else: unnamed/,
    ],
    ["a damaged PEM", pem.replace("MCow", "MCox"), /damaged/],
    ["a PEM that is cut short", pem.slice(0, 60), /damaged/],
    ["a PEM without its end", pem.slice(0, -5), /damaged/],
    ["a PEM of something else", pem.replace(/\n.*\n/, "\n?\n"), /damaged/],
    ["OpenSSH's form", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA me@host", /OpenSSH/],
    ["a public JWK", JSON.stringify(publicKey.export({ format: "jwk" })), /JWK/],
    ["hex that begins with 0x", `0x${hex}`, /0x/],
    ["quoted hex that begins with 0X", `"0X${hex}"`, /0x/],
    ["hex in pairs that begins with 0x", `0x ${hex.replace(/../g, "$& ")}`, /begins with 0x/],
    ["a word that begins with 0x", "0xylophone", /bytes is not a key/],
    ["a word with 0x in it", "box0xab", /bytes is not a key/],
    ["a text that tells of a key in OpenSSH's form", "my ssh-ed25519 AAAA me@host", /bytes is not a key/],
    ['a text that tells of a "d"', 'the member "d": 1', /bytes is not a key/],
    ["PEM in one line", pem.replaceAll("\n", "\\n"), /two characters \\n/],
    ["PEM in one quoted line", JSON.stringify(pem), /two characters \\n/],
    ["PEM in one line with Windows line ends", pem.replaceAll("\n", "\\r\\n"), /two characters \\n/],
    ["a sentence", "a key is 32 bytes and so is this.", /text of 33 bytes is not a key/],
    ["nothing", " \n", /empty/],
    ["Base58", "7".repeat(44), /This is Base58: decode it.*Give an Ed25519 public key/],
    ["Base58 of 43 letters", `${"7".repeat(42)}z`, /This is Base58/],
    ["Base58 behind its type", `z6Mk${"7".repeat(44)}`, /This is Base58/],
    ["Base58 as a did:key", `did:key:z6Mk${"7".repeat(44)}`, /This is Base58/],
    ["DER with something after it", Buffer.concat([der, Buffer.from([0])]), /has 45 bytes/],
    [
      "a certificate beside it",
      `${pem}-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----`,
      /CERTIFICATE/,
    ],
    ["31 bytes", hex.slice(2), /31 bytes/],
    ["a text", "not a key!", /10 bytes/],
    ["Base64 with three signs of padding", `${raw.toString("base64")}==`, /bytes is not a key/],
    ["Base64 with bits set that count for nothing", aliasOf(raw.toString("base64")), /bytes is not a key/],
  ])("%s", (_, given, reason) => {
    expect(refusalOf(given)).toMatch(reason);
  });

  /** The same bytes in Base64, with the last of the bits set that no byte has. */
  function aliasOf(base64: string): string {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const alias = `${base64.slice(0, 42)}${alphabet[alphabet.indexOf(base64[42] ?? "") + 1]}=`;
    expect(Buffer.from(alias, "base64")).toEqual(Buffer.from(base64, "base64"));
    return alias;
  }

  test("its owner is told what to give in its place", () =>
    expect(refusalOf("not a key!")).toMatch(
      /Give an Ed25519 public key: PEM .*, or its 32 bytes in hex, Base64 or base64url\.$/,
    ));

  test("a point in an encoding that is not reduced is refused, whichever point it is", () => {
    const modulus = 2n ** 255n - 19n;
    for (let y = 0n; y < 19n; y += 1n)
      for (const encoding of [modulus + y, modulus + y + 2n ** 255n])
        expect(refusalOf(bytesOfNumber(encoding))).toMatch(/not an Ed25519 public key/);
  });

  test.each([
    ["a damaged PEM", pem.replace("MCow", "MCox")],
    ["32 bytes that are not a point", bytesOfNumber(2n)],
  ])("the reason of the library is kept beside ours: %s", (_, given) => {
    expect(() => readRegistrableKey(given)).toThrow(
      expect.objectContaining({ name: "PublicKeyError", cause: expect.any(Error) }),
    );
  });

  test("a point that is not on the curve is refused", () => {
    const offCurve = Array.from({ length: 40 }, (_, y) => Buffer.alloc(32, 0).fill(y, 0, 1)).filter(
      (bytes) => {
        try {
          return Point.fromBytes(bytes) === undefined;
        } catch {
          return true;
        }
      },
    );
    expect(offCurve.length).toBeGreaterThan(5);
    for (const bytes of offCurve) expect(refusalOf(bytes)).toMatch(/not an Ed25519 public key/);
  });

  test("the refusal of a seed first says that it is one and what to do about it, and does not repeat it", () => {
    const seeds = Array.from({ length: 64 }, (_, at) => createHash("sha256").update(`seed ${at}`).digest());
    const refused = seeds.flatMap((bytes) => {
      const digits = bytes.toString("hex");
      const error = thrownBy(() => readRegistrableKey(digits));
      return error instanceof Error ? [[digits, String(error)] as const] : [];
    });
    // The other seeds are valid points, so nothing distinguishes them from public keys.
    expect(refused.length).toBeGreaterThan(48);
    for (const [digits, message] of refused) {
      expect(message).toMatch(
        /^PublicKeyError: These 32 bytes are most likely the seed of a private key\. It must not leave/,
      );
      expect(message).not.toContain(digits.slice(0, 12));
    }
  });

  test.each(["{", " {", "\n{", "0x", "ssh-", "sk-"])(
    "32 bytes are a key whatever text they begin like: %j",
    (beginning) => {
      // Whether the bytes are on the curve or not, the message does not mention JSON.
      const bytes = Buffer.alloc(32, 0xe5);
      bytes.write(beginning);
      let said = "";
      try {
        said = readRegistrableKey(bytes);
      } catch (error) {
        said = String(error);
      }
      expect(said).toMatch(/^[0-9a-f]{64}$|These 32 bytes/);
    },
  );

  test("a private key is recognized inside bytes that are not text", () => {
    expect(refusalOf(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(privatePem)]))).toMatch(
      /This is a private key/,
    );
  });

  test("all fourteen encodings of a point of small order are refused, an unset key of zeros among them", () => {
    for (const bytes of smallOrderEncodings())
      expect(refusalOf(bytes)).toMatch(/small order|not an Ed25519 public key/);
    expect(refusalOf("0".repeat(64))).toMatch(/small order/);
  });

  test("a key of mixed order is refused, whichever part of small order it has", () => {
    const clean = times(123_456_789n, BASE);
    expect(readRegistrableKey(clean.toBytes())).toBe(clean.toHex());
    for (const torsion of torsionPoints.slice(1))
      expect(refusalOf(clean.add(torsion).toBytes())).toMatch(/component of small order/);
  });
});
