import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { signedText } from "../../../../lib/signature/canonical-request.ts";
import { partsOfUrl } from "../../../../local/signing/sign-request.ts";
import { breakagesOf, unbroken } from "../../../../page/src/try-it/breakages.ts";
import { type Credential, prepareRequest } from "../../../../page/src/try-it/prepare-request.ts";

const privateKey = {
  kty: "OKP",
  crv: "Ed25519",
  d: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  x: "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg",
} as const;
const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: privateKey.x }, format: "jwk" });
const fits = (text: string, signature: string, encoding: "base64" | "base64url"): boolean =>
  verify(null, Buffer.from(text), publicKey, Buffer.from(signature, encoding));

const NOW = 1_795_554_000_000;
const url = new URL("http://127.0.0.1:3000/api/1.0/trades/all/A%20B-USD?limit=5&cursor=a%2Bb");
const parts = { url, headers: { "Request-Id": "one" }, breakage: unbroken, now: NOW, jti: "once" };

const exchange: Credential = {
  kind: "signature",
  apiKey: "k".repeat(64),
  privateKey,
  headerPrefix: "X-Svc-",
};
const jws: Credential = { kind: "jws", kid: "poller-1", privateKey };

const breakage = (kind: string, name: string) => {
  const found = breakagesOf(kind).find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${name} for ${kind}.`);
  return found;
};

test("the pieces that are shown are the text that the server verifies, byte for byte", async () => {
  const { headers, signed } = await prepareRequest(exchange, parts);
  const text = signed?.pieces.map((piece) => piece.text).join("");
  expect(text).toBe(signedText(partsOfUrl("GET", url.href, String(NOW))));
  expect(signed?.signed).toBe(text);
  expect(fits(text ?? "", headers["X-Svc-Signature"] ?? "", "base64")).toBe(true);
  expect(headers).toMatchObject({
    "Request-Id": "one",
    "X-Svc-API-Key": "k".repeat(64),
    "X-Svc-Timestamp": String(NOW),
  });
});

test("a detached JWS is shown with its header and the text under its signature", async () => {
  const { headers, signed } = await prepareRequest(jws, parts);
  const [header = "", payload, signature = ""] = (headers["Jws-Signature"] ?? "").split(".");
  expect(payload).toBe("");
  const text = signed?.pieces.map((piece) => piece.text).join("");
  expect(text).toBe(`${header}.`);
  expect(signed?.signed).toBe(text);
  expect(fits(`${header}.`, signature, "base64url")).toBe(true);
  expect(JSON.parse(signed?.protectedHeader ?? "")).toEqual({
    alg: "EdDSA",
    kid: "poller-1",
    iat: NOW / 1000,
    jti: "once",
    htm: "GET",
    htp: url.pathname,
  });
});

test.each(["signature", "text", "question-mark"])(
  "a signature that is broken by its %s does not fit, and the right text is still shown",
  async (name) => {
    const { headers, signed } = await prepareRequest(exchange, {
      ...parts,
      breakage: breakage("signature", name),
    });
    const right = signedText(partsOfUrl("GET", url.href, String(NOW)));
    expect(signed?.pieces.map((piece) => piece.text).join("")).toBe(right);
    expect(fits(right, headers["X-Svc-Signature"] ?? "", "base64")).toBe(false);
    // What was signed in its place is told, so that the two can be compared.
    expect(fits(signed?.signed ?? "", headers["X-Svc-Signature"] ?? "", "base64")).toBe(name !== "signature");
    expect(signed?.signed === right).toBe(name === "signature");
  },
);

test.each([
  ["late", -60_000],
  ["early", 60_000],
])("a time that is %s is signed and sent, and nothing else is wrong", async (name, shiftMs) => {
  const { headers, signed } = await prepareRequest(exchange, {
    ...parts,
    breakage: breakage("signature", name),
  });
  expect(headers["X-Svc-Timestamp"]).toBe(String(NOW + shiftMs));
  expect(signed?.pieces[0]?.text).toBe(String(NOW + shiftMs));
  expect(fits(signed?.signed ?? "", headers["X-Svc-Signature"] ?? "", "base64")).toBe(true);
});

test("a detached JWS can be broken by its bytes, and by its time", async () => {
  const late = await prepareRequest(jws, { ...parts, breakage: breakage("jws", "late") });
  expect(JSON.parse(late.signed?.protectedHeader ?? "{}")).toMatchObject({ iat: NOW / 1000 - 600 });
  const broken = await prepareRequest(jws, { ...parts, breakage: breakage("jws", "signature") });
  const [header = "", , signature = ""] = (broken.headers["Jws-Signature"] ?? "").split(".");
  expect(fits(`${header}.`, signature, "base64url")).toBe(false);
});

test.each([
  [
    "bearer",
    { kind: "bearer", token: "head.body.signature-of-it" },
    "Authorization",
    "Bearer head.body.signature-of-it",
  ],
  ["api-key", { kind: "api-key", apiKey: "key-of-a-partner" }, "X-API-KEY", "key-of-a-partner"],
] as const)("a %s is sent as it is, and broken in one character", async (kind, credential, name, sent) => {
  const whole = await prepareRequest(credential, parts);
  expect(whole.headers).toEqual({ "Request-Id": "one", [name]: sent });
  expect(whole.signed).toBeUndefined();
  const broken =
    (await prepareRequest(credential, { ...parts, breakage: breakage(kind, "secret") })).headers[name] ?? "";
  expect(broken).toHaveLength(sent.length);
  expect(Array.from(broken).filter((letter, at) => letter !== sent[at])).toHaveLength(1);
});

test("a request without a credential has none, and there is nothing to break", async () => {
  expect((await prepareRequest({ kind: "none" }, parts)).headers).toEqual({ "Request-Id": "one" });
  expect(breakagesOf("none")).toEqual([unbroken]);
});
