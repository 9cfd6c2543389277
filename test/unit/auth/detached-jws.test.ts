import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { CompactSign, exportJWK, FlattenedSign } from "jose";
import { describe, expect, test, vi } from "vitest";
import { NOW } from "../../support/chain.ts";
import { bytesOfNumber, L, smallOrderEncodings } from "../../support/edwards.ts";
import { jwsSigner, VERSION, walletEndpoint, walletEvent } from "../../support/wallet.ts";
import { forgeableKeys } from "../../support/weak-keys.ts";

const seconds = Math.floor(NOW / 1000);

async function signedEndpoint(alg?: string, settings?: Record<string, string>) {
  const signer = await jwsSigner(alg);
  const wallet = await walletEndpoint({ ...(settings !== undefined && { settings }) });
  wallet.register(signer.id, { publicKey: signer.publicJwk });
  const statusOf = async (jws: string, event: Parameters<typeof walletEvent>[0] = {}) => {
    const response = await wallet.call(
      walletEvent({ ...event, headers: { ...event.headers, "jws-signature": jws } }),
    );
    return response.statusCode;
  };
  return { ...wallet, signer, statusOf };
}

/** A JWS with Ed25519 whose protected header is exactly this text, or these bytes. */
function signText(text: string | Buffer, key: KeyObject): string {
  const part = Buffer.from(text as string).toString("base64url");
  return `${part}..${sign(null, Buffer.from(`${part}.`), key).toString("base64url")}`;
}

describe("a detached JWS opens the pass callback", () => {
  test.each(["EdDSA", "ES256", "RS256", "PS256"])("signed with %s", async (alg) => {
    const { signer, statusOf } = await signedEndpoint(alg);
    expect(await statusOf(await signer.sign())).toBe(200);
  });

  test.each([
    ["five minutes old", { iat: seconds - 300 }],
    ["five minutes ahead", { iat: seconds + 300 }],
    ["with unknown members", { typ: "JOSE", cty: "x", note: { a: 1 } }],
    ["with a jti of its own", { jti: "0b5c9a4e-6f0e-4f0f-9d3a-2f6a1c7b8d90" }],
    [
      "with its own keys in the header, which are ignored",
      { jku: "https://evil.example/keys", x5u: "https://evil.example" },
    ],
  ])("%s", async (_, header) => {
    const { signer, statusOf, fetchText } = await signedEndpoint();
    expect(await statusOf(await signer.sign(header))).toBe(200);
    expect(fetchText).not.toHaveBeenCalled();
  });

  test.each([{}, { jti: "a" }])("twice, with a jti or without: %o", async (header) => {
    const { signer, statusOf } = await signedEndpoint();
    const jws = await signer.sign(header);
    expect([await statusOf(jws), await statusOf(jws)]).toEqual([200, 200]);
  });

  test.each(["EdDSA", "Ed25519"])("with an Ed25519 key by either name: registered as %s", async (alg) => {
    const wallet = await signedEndpoint();
    const publicKey = JSON.stringify({ ...JSON.parse(wallet.signer.publicJwk), alg });
    wallet.register(wallet.signer.id, { publicKey });
    for (const used of ["EdDSA", "Ed25519"])
      expect(await wallet.statusOf(await wallet.signer.sign({ alg: used }))).toBe(200);
    expect(await wallet.statusOf(await wallet.signer.sign({ alg: "Ed448" }).catch(() => ""))).toBe(401);
  });

  test.each([
    ["decoded", "/passes/a:b~c"],
    ["as encodeURIComponent writes it", "/passes/a%3Ab~c"],
    ["as other encoders do", "/passes/a%3ab%7Ec"],
    ["with an encoded letter", "/%70asses/a:b~c"],
  ])("for its path, written %s", async (_, htp) => {
    const { signer, statusOf } = await signedEndpoint();
    const jws = await signer.sign({}, htp);
    // Found, or not: a path that was signed is not 401. A gateway that decoded the last one once more would ask for another pass.
    expect(await statusOf(jws, { reference: "a:b~c" })).toBe(404);
    for (const reference of ["a:b~d", "a%3Ab~c"]) expect(await statusOf(jws, { reference })).toBe(401);
  });

  test("for a path with a per cent sign that encodes nothing", async () => {
    const { signer, statusOf } = await signedEndpoint();
    for (const htp of ["/passes/100%", "/passes/100%25"])
      expect(await statusOf(await signer.sign({}, htp), { reference: "100%" })).toBe(404);
  });

  test("under a base path, which is part of what was signed", async () => {
    const { signer, statusOf } = await signedEndpoint("EdDSA", { BASE_PATH: "/api" });
    expect(await statusOf(await signer.sign({}, "/api/passes/ref-1"))).toBe(200);
    expect(await statusOf(await signer.sign({}, "/passes/ref-1"))).toBe(401);
  });

  test("whose header was written with white space and escapes", async () => {
    const { signer, statusOf } = await signedEndpoint();
    const text = `{ "alg" : "EdDSA", "kid":"poller-1","iat":${seconds}, "htm":"GET","htp":"\\/passes\\/ref-1"}`;
    expect(await statusOf(signText(text, signer.keyObject))).toBe(200);
  });
});

describe("a detached JWS is refused", () => {
  test.each([
    ["a second over five minutes old", { iat: seconds - 301 }],
    ["a second over five minutes ahead", { iat: seconds + 301 }],
    ["a year ahead", { iat: seconds + 31_536_000 }],
    ["without iat", { iat: undefined }],
    ["with iat as text", { iat: String(seconds) }],
    ["with iat in milliseconds", { iat: NOW }],
    ["with a fraction of a second", { iat: seconds + 0.5 }],
    ["without kid", { kid: undefined }],
    ["with a kid nobody registered", { kid: "poller-2" }],
    ["with a kid that looks like a path", { kid: "../../dev/null" }],
    ["with a kid that is a number", { kid: 1 }],
    ["with an empty kid", { kid: "" }],
    ["without htm", { htm: undefined }],
    ["for another method", { htm: "POST" }],
    ["for a method in lower case", { htm: "get" }],
    ["without htp", { htp: undefined }],
    ["for another path", { htp: "/passes/ref-2" }],
    ["for the path with a slash behind it", { htp: "/passes/ref-1/" }],
    ["for a path that ends in another letter, encoded", { htp: "/passes/ref%2D2" }],
    ["for the path encoded twice", { htp: "/passes/re%2566-1" }],
    ["for a path that is not a text", { htp: ["/passes/ref-1"] }],
    ["for no path", { htp: null }],
  ])("%s", async (_, header) => {
    const { signer, statusOf } = await signedEndpoint();
    expect(await statusOf(await signer.sign(header))).toBe(401);
  });

  test.each([
    ["an extension marked as critical", '"crit":["exp-policy"],"exp-policy":1'],
    ["an empty list of extensions", '"crit":[]'],
    ["an unencoded payload without a mark", '"b64":false'],
    ["an encoded payload, stated explicitly", '"b64":true'],
    ["a marked extension that is not there", '"crit":["b64"]'],
    ["an unencoded payload, marked", '"b64":false,"crit":["b64"]'],
    ["the algorithm twice", '"alg":"EdDSA"'],
    ["the algorithm twice, once with an escape", '"\\u0061lg":"EdDSA"'],
    ["a member twice, deeper down", '"note":{"a":1,"a":1}'],
  ])("with %s", async (_, members) => {
    const { signer, statusOf } = await signedEndpoint();
    const text = `{"alg":"EdDSA","kid":"poller-1","iat":${seconds},"htm":"GET","htp":"/passes/ref-1",${members}}`;
    expect(await statusOf(signText(text, signer.keyObject))).toBe(401);
    expect(await statusOf(signText(text.replace(`,${members}`, ""), signer.keyObject))).toBe(200);
  });

  test("with none, or a case of it, for an algorithm", async () => {
    const { signer, statusOf } = await signedEndpoint();
    const [, , signature] = (await signer.sign()).split(".");
    for (const alg of ["none", "nOnE", "HS256", ""]) {
      const header = JSON.stringify({ alg, kid: signer.kid, iat: seconds, htm: "GET", htp: "/passes/ref-1" });
      const part = Buffer.from(header).toString("base64url");
      expect(await statusOf(`${part}..${signature}`)).toBe(401);
      expect(await statusOf(`${part}..`)).toBe(401);
    }
  });

  test("signed with the public key as a secret", async () => {
    const { signer, statusOf } = await signedEndpoint("RS256");
    const secret = Buffer.from(signer.publicJwk);
    const jws = await new FlattenedSign(new Uint8Array())
      .setProtectedHeader({ alg: "HS256", kid: signer.kid, iat: seconds, htm: "GET", htp: "/passes/ref-1" })
      .sign(secret);
    expect(await statusOf(`${jws.protected}..${jws.signature}`)).toBe(401);
  });

  test("with another algorithm of the same key than the registered one", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const wallet = await walletEndpoint();
    wallet.register("jws#rsa", {
      publicKey: JSON.stringify({ ...(await exportJWK(publicKey)), alg: "PS256" }),
    });
    const sign = async (alg: string) => {
      const header = { alg, kid: "rsa", iat: seconds, htm: "GET", htp: "/passes/ref-1" };
      const jws = await new FlattenedSign(new Uint8Array()).setProtectedHeader(header).sign(privateKey);
      return wallet.call(walletEvent({ headers: { "jws-signature": `${jws.protected}..${jws.signature}` } }));
    };
    expect((await sign("PS256")).statusCode).toBe(200);
    expect((await sign("RS256")).statusCode).toBe(401);
  });

  test("with another key, and with a signature or header that was changed", async () => {
    const { signer, statusOf } = await signedEndpoint();
    expect(await statusOf(await (await jwsSigner()).sign())).toBe(401);
    const [header = "", , signature = ""] = (await signer.sign()).split(".");
    const [other = ""] = (await signer.sign({ iat: seconds - 1 })).split(".");
    const flipped = (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
    expect(await statusOf(`${header}..${flipped}`)).toBe(401);
    expect(await statusOf(`${other}..${signature}`)).toBe(401);
  });

  test("with its payload attached, padded, spelled otherwise, doubled or not a JWS at all", async () => {
    const { signer, statusOf } = await signedEndpoint();
    const jws = await signer.sign();
    const [header = "", , signature = ""] = jws.split(".");
    const attached = await new CompactSign(Buffer.from("x"))
      .setProtectedHeader({ alg: "EdDSA", kid: signer.kid, iat: seconds, htm: "GET", htp: "/passes/ref-1" })
      .sign(signer.privateKey);
    const last = signature.at(-1) ?? "";
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    // The last character of 64 bytes carries two bits; the others must be zero, or one signature has four spellings.
    const respelled = `${header}..${signature.slice(0, -1)}${alphabet[alphabet.indexOf(last) + 1]}`;
    for (const text of [
      attached,
      `${header}..${signature}==`,
      respelled,
      `${jws},${jws}`,
      ` ${jws}`,
      `${jws}.x`,
      "",
      ".",
      "..",
      `${header}.${signature}`,
      JSON.stringify({ protected: header, signature, header: { b64: false } }),
      "x".repeat(5_000),
    ]) {
      expect(await statusOf(text)).toBe(401);
    }
    expect(await statusOf(jws)).toBe(200);
  });

  test("whose header is not a JSON object", async () => {
    const { signer, statusOf } = await signedEndpoint();
    for (const text of ["[]", "null", '"x"', "1", "{", ""]) {
      expect(await statusOf(signText(text, signer.keyObject))).toBe(401);
    }
  });

  test("whose header is valid except that it is not UTF-8, before any key is looked up", async () => {
    const { signer, statusOf, registered } = await signedEndpoint();
    const lookUp = vi.spyOn(registered, "get");
    const members = { alg: "EdDSA", kid: signer.kid, iat: seconds, htm: "GET", htp: "/passes/ref-1" };
    const text = JSON.stringify({ ...members, note: "é" });
    expect(await statusOf(signText(Buffer.from(text, "utf8"), signer.keyObject))).toBe(200);
    expect(lookUp).toHaveBeenCalledExactlyOnceWith(signer.id);
    expect(await statusOf(signText(Buffer.from(text, "latin1"), signer.keyObject))).toBe(401);
    expect(lookUp).toHaveBeenCalledOnce();
  });

  test("with a forged signature, even under a registered key for which anybody could sign", async () => {
    const wallet = await walletEndpoint();
    for (const { why, jwk, forge } of forgeableKeys()) {
      const header = { alg: jwk.alg, kid: "weak", iat: seconds, htm: "GET", htp: "/passes/ref-1" };
      wallet.register("jws#weak", { publicKey: JSON.stringify(jwk) });
      const part = Buffer.from(JSON.stringify(header)).toString("base64url");
      const jws = `${part}..${forge(`${part}.`).toString("base64url")}`;
      const { statusCode } = await wallet.call(walletEvent({ headers: { "jws-signature": jws } }));
      expect([why, statusCode]).toEqual([why, 401]);
    }
  });

  test("with a second form of its signature, even if Node.js accepts that form", async () => {
    const { signer, statusOf } = await signedEndpoint();
    const [part = "", , signature = ""] = (await signer.sign()).split(".");
    const bytes = Buffer.from(signature, "base64url");
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32).toReversed()).toString("hex")}`);
    const forms = [
      Buffer.concat([bytes.subarray(0, 32), bytesOfNumber(s + L)]),
      ...smallOrderEncodings().map((r) => Buffer.concat([r, bytes.subarray(32)])),
      bytes.subarray(0, 63),
      Buffer.concat([bytes, Buffer.from([0])]),
    ];
    for (const form of forms) expect(await statusOf(`${part}..${form.toString("base64url")}`)).toBe(401);
    expect(await statusOf(`${part}..${signature}`)).toBe(200);
  });

  test("on a request with a body, which it does not cover", async () => {
    const { signer, statusOf } = await signedEndpoint();
    expect(await statusOf(await signer.sign(), { body: "x" })).toBe(401);
  });

  test("when its key has expired or was revoked", async () => {
    const { signer, statusOf, register } = await signedEndpoint();
    for (const [end, status] of [
      [{ expiresAt: NOW }, 401],
      [{ revokedAt: NOW - 1 }, 401],
      [{ expiresAt: NOW + 1 }, 200],
    ] as const) {
      register(signer.id, { publicKey: signer.publicJwk, ...end });
      expect(await statusOf(await signer.sign())).toBe(status);
    }
  });
});

test("a stage may make htm and htp optional; when present, they must still be right", async () => {
  const { signer, statusOf } = await signedEndpoint("EdDSA", { PASS_JWS_BINDING: "optional" });
  expect(await statusOf(await signer.sign({ htm: undefined, htp: undefined }))).toBe(200);
  expect(await statusOf(await signer.sign({ htp: "/passes/ref-2" }))).toBe(401);
  expect(await statusOf(await signer.sign({ htm: "PUT" }))).toBe(401);
});

test("a valid signature without the scope is 403", async () => {
  const { signer, statusOf, register } = await signedEndpoint();
  register(signer.id, { publicKey: signer.publicJwk, scopes: [] });
  expect(await statusOf(await signer.sign(), { headers: { "service-api-version": VERSION } })).toBe(403);
});
