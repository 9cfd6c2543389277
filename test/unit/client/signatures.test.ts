import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type PrivateKey, signerOf } from "../../../client/src/ed25519.ts";
import { detachedJws, signedHeaders } from "../../../client/src/signed-request.ts";
import { signedText } from "../../../lib/signature/canonical-request.ts";
import { partsOfUrl } from "../../../local/signing/sign-request.ts";

// The vectors of docs/signing.md and docs/passes.md, which the tests of the service hold too.
const seed = Uint8Array.from({ length: 32 }, (_, at) => at);
const jwk = {
  kty: "OKP",
  crv: "Ed25519",
  d: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  x: "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg",
  kid: "poller-1",
} as const;
const pem = createPrivateKey({ key: jwk, format: "jwk" }).export({ format: "pem", type: "pkcs8" }) as string;
/** PKCS #8 with the public key behind the private one (RFC 5958), as some tools write it. */
const withPublicKey = (() => {
  const head = Buffer.from("3051020101300506032b657004220420", "hex");
  const der = Buffer.concat([head, seed, Buffer.from("812100", "hex"), Buffer.from(jwk.x, "base64url")]);
  return `-----BEGIN PRIVATE KEY-----\n${der.toString("base64")}\n-----END PRIVATE KEY-----\n`;
})();

const NOW = 1_795_554_000_000;
const url = new URL(
  "https://api.test/1.0/trades/all/BTC-USD?limit=10&start_date=1795467600000&end_date=1795554000000",
);
const SIGNATURE = "xCGI6sn1DJNrUngOXEK06ocrMrAqoTFCuMFwGfy6XfA+HZ0qPVcirx3q+XIiAKZKgrEybXJRGUbrOSsJyv4XAg==";

afterEach(() => vi.unstubAllGlobals());

const forms: readonly (readonly [string, PrivateKey])[] = [
  ["PEM", pem],
  ["PEM with a public key", withPublicKey],
  ["a JWK", jwk],
  ["its bytes", seed],
  ["PEM, twice", pem + pem],
  ["PEM on one line", pem.trim().replaceAll("\n", " ")],
  ["PEM on one line without blanks", pem.replaceAll("\n", "")],
  ["PEM of Windows, indented and in quotes", `"${pem.trim().replaceAll("\n", "\r\n  ")}"`],
];

/** Platforms without Ed25519: a page on plain HTTP has no `subtle`, an older browser refuses the name. */
const platforms: readonly (readonly [string, object | undefined])[] = [
  ["the platform's WebCrypto", undefined],
  ["no WebCrypto", {}],
  ["a WebCrypto without Ed25519", { subtle: { importKey: () => Promise.reject(new Error("NotSupported")) } }],
];

describe.each(platforms)("with %s", (_, stub) => {
  test.each(forms)("a key as %s signs a request of the exchange as docs/signing.md shows", async (_, key) => {
    if (stub !== undefined) vi.stubGlobal("crypto", stub);
    const headers = await signedHeaders(
      url,
      { apiKey: "K", sign: signerOf(key), headerPrefix: "X-Svc-" },
      NOW,
    );
    expect(headers).toEqual({
      "X-Svc-API-Key": "K",
      "X-Svc-Timestamp": String(NOW),
      "X-Svc-Signature": SIGNATURE,
    });
  });
});

test("a request for a pass is signed as docs/passes.md shows", async () => {
  const key = { kid: "poller-1", sign: signerOf(jwk) };
  const jti = "7d1c3a52-9f0b-4e6d-8a34-5b1f0c9e2d76";
  expect(await detachedJws(new URL("https://api.test/passes/demo-1"), key, { now: NOW, jti })).toBe(
    "eyJhbGciOiJFZERTQSIsImtpZCI6InBvbGxlci0xIiwiaWF0IjoxNzk1NTU0MDAwLCJqdGkiOiI3ZDFjM2E1Mi05ZjBiLTRlNmQtOGEzNC01YjFmMGM5ZTJkNzYiLCJodG0iOiJHRVQiLCJodHAiOiIvcGFzc2VzL2RlbW8tMSJ9..tHLq2IfStp7m7jPqg4OOpDbsQMrxcdOjTuPfZl8R8vZySUZ7fND0O65A1vzeFRI4KWwKFSAZIIdENeV9czHYDA",
  );
});

test("the path is signed decoded, and the query as it is sent", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const own = privateKey.export({ format: "pem", type: "pkcs8" }) as string;
  const address = new URL("https://api.test/a%20b/1.0/trades/all/%C3%A4?cursor=a%2Bb");
  const key = { apiKey: "K", sign: signerOf(own), headerPrefix: "X-" };
  const signature = (await signedHeaders(address, key, NOW))["X-Signature"] ?? "";
  const text = Buffer.from(`${NOW}GET/a b/1.0/trades/all/äcursor=a%2Bb`);
  expect(verify(null, text, createPublicKey(privateKey), Buffer.from(signature, "base64"))).toBe(true);
});

test("the service verifies what is signed, whatever the address and the instant", async () => {
  const symbols = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .filter((text) => !/^\.+$/.test(text));
  const cursors = fc.string({ unit: "grapheme", maxLength: 12 });
  const publicKey = createPublicKey(createPrivateKey(pem));
  const key = { apiKey: "K", sign: signerOf(jwk), headerPrefix: "X-" };
  await fc.assert(
    fc.asyncProperty(symbols, cursors, fc.nat(2 ** 41), async (symbol, cursor, now) => {
      const address = new URL(`https://api.test/base/1.0/trades/all/${encodeURIComponent(symbol)}`);
      address.searchParams.set("cursor", cursor);
      const headers = await signedHeaders(address, key, now);
      const text = signedText(partsOfUrl("GET", address.href, String(now)));
      const signature = Buffer.from(headers["X-Signature"] ?? "", "base64");
      expect(verify(null, Buffer.from(text), publicKey, signature)).toBe(true);
    }),
  );
});

describe("what is not a private Ed25519 key is refused, and its text is not shown", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const publicPem = createPublicKey(createPrivateKey(pem)).export({ format: "pem", type: "spki" });
  test.each<readonly [string, PrivateKey]>([
    ["31 bytes", seed.slice(1)],
    ["33 bytes", Uint8Array.from([...seed, 0])],
    ["a public key", publicPem],
    ["an RSA key", rsa.export({ format: "pem", type: "pkcs8" })],
    ["a JWK of another curve", { ...jwk, crv: "X25519" }],
    ["a public JWK", { kty: "OKP", crv: "Ed25519" }],
    ["a JWK that was cut off", { ...jwk, d: jwk.d.slice(0, 30) }],
    ["PEM that was cut off", pem.slice(0, 60)],
    ["two keys", pem + generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" })],
    ["another text", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"],
  ])("%s", (_, key) => {
    expect(() => signerOf(key)).toThrow(
      new TypeError("privateKey: must be an Ed25519 private key: PEM (PKCS #8), a JWK with d, or 32 bytes."),
    );
  });

  test.each([pem.replaceAll("\n", "\\n"), pem.replaceAll("\n", "\\r\\n")])(
    "and line ends that are two characters are named",
    (key) => {
      expect(() => signerOf(key)).toThrow(/^privateKey: its line ends are the two characters \\n, /);
    },
  );
});
