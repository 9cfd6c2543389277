import { readFile, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  importJWK,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Issuer, issuerKeyFile, startIssuer } from "../../../../local/identity/issuer.ts";
import { localAudiences, localIssuer, localTokenType } from "../../../../local/identity/local-identity.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const now = Date.UTC(2026, 10, 27, 12);
const started: Issuer[] = [];
let dataDir: string;

beforeEach(async () => {
  dataDir = scratchDirectory();
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((issuer) => issuer.close()));
});

async function start(): Promise<Issuer> {
  const issuer = await startIssuer({ dataDir, clock: () => now });
  started.push(issuer);
  return issuer;
}

const fetchKeys = async (issuer: Issuer): Promise<JSONWebKeySet> =>
  (await (await fetch(issuer.jwksUrl)).json()) as JSONWebKeySet;

async function verify(issuer: Issuer, token: string) {
  return jwtVerify(token, createLocalJWKSet(await fetchKeys(issuer)), {
    issuer: localIssuer,
    audience: localAudiences.business,
    typ: localTokenType,
    currentDate: new Date(now),
  });
}

describe("the local issuer", () => {
  it("serves only the public members of its key", async () => {
    const { keys } = await fetchKeys(await start());
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([
      ["alg", "crv", "kid", "kty", "use", "x", "y"],
    ]);
  });

  it("signs access tokens that hold every claim of RFC 9068 and verify against the served set", async () => {
    const issuer = await start();
    const token = await issuer.mintToken({ subject: "acme", scope: "transactions.read" });
    const { payload, protectedHeader } = await verify(issuer, token);
    const issuedAtS = now / 1000;
    expect(protectedHeader).toMatchObject({ typ: "at+jwt", alg: "ES256", kid: expect.any(String) });
    expect(payload).toEqual({
      iss: localIssuer,
      aud: localAudiences.business,
      sub: "acme",
      scope: "transactions.read",
      client_id: expect.any(String),
      iat: issuedAtS,
      exp: issuedAtS + 30 * 86_400,
      jti: expect.any(String),
    });
  });

  it("gives each token its own id, and the requested audience and lifetime", async () => {
    const issuer = await start();
    const claims = {
      subject: "acme",
      scope: "",
      audience: localAudiences.passes,
      lifeS: -60,
      clientId: "test",
    };
    const [one, other] = await Promise.all([issuer.mintToken(claims), issuer.mintToken(claims)]);
    const parts = [one, other].map((token) =>
      JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()),
    );
    expect(parts[0]).toMatchObject({ aud: localAudiences.passes, exp: now / 1000 - 60, client_id: "test" });
    expect(parts[0].jti).not.toBe(parts[1].jti);
  });

  it("keeps its key across starts", async () => {
    const first = await start();
    const token = await first.mintToken({ subject: "acme", scope: "transactions.read" });
    await first.close();
    await expect(verify(await start(), token)).resolves.toBeDefined();
  });

  it("keeps its key in a file that only its owner may read", async () => {
    await start();
    expect((await stat(issuerKeyFile(dataDir))).mode & 0o777).toBe(0o600);
  });

  it("lets a test sign a token of its own with the key in that file", async () => {
    const issuer = await start();
    const jwk = JSON.parse(await readFile(issuerKeyFile(dataDir), "utf8"));
    const token = await new SignJWT({ sub: "acme" })
      .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid, typ: localTokenType })
      .setIssuer(issuer.issuer)
      .setAudience(issuer.audience)
      .setExpirationTime(now / 1000 + 60)
      .sign(await importJWK(jwk));
    await expect(verify(issuer, token)).resolves.toBeDefined();
    expect(decodeProtectedHeader(token).kid).toBe(
      decodeProtectedHeader(await issuer.mintToken({ subject: "a", scope: "" })).kid,
    );
  });

  it("refuses a key file that it cannot use, without quoting it", async () => {
    for (const content of [
      "{",
      "null",
      '{"kty":"EC","d":"secret-part"}',
      '{"kid":"k","alg":"ES256","d":"secret-part"}',
    ]) {
      await writeFile(issuerKeyFile(dataDir), content);
      const { message, cause } = await start().then(
        () => new Error("It started."),
        (error: Error) => error,
      );
      expect(message).toContain("issuer-key.json is not a private ES256 JWK");
      expect([message, cause].join()).not.toContain("secret-part");
    }
  });

  it("serves the key set at one address only, and nothing after it was closed", async () => {
    const issuer = await start();
    const url = new URL(issuer.jwksUrl);
    expect([url.hostname, url.pathname]).toEqual(["127.0.0.1", "/.well-known/jwks.json"]);
    expect((await fetch(new URL("/issuer-key.json", url))).status).toBe(404);
    expect((await fetch(url, { method: "POST" })).status).toBe(404);
    await issuer.close();
    await issuer.close();
    await expect(
      new Promise((resolve, reject) => request(url).on("response", resolve).on("error", reject).end()),
    ).rejects.toThrow("ECONNREFUSED");
  });
});
