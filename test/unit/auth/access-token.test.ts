import { createHmac } from "node:crypto";
import { exportSPKI, type JWK } from "jose";
import { describe, expect, test, vi } from "vitest";
import { accessToken } from "../../../lib/auth/access-token.ts";
import type { Credential } from "../../../lib/auth/credential.ts";
import type { HttpRequest } from "../../../lib/http/request.ts";
import { NOW } from "../../support/chain.ts";
import { AUDIENCE, ISSUER, issuerKeys, tokenIssuer } from "../../support/tokens.ts";
import { forgeableKeys } from "../../support/weak-keys.ts";

const SECONDS = NOW / 1000;
const requestWith = (authorization?: string) =>
  ({ headers: { ...(authorization !== undefined && { authorization }) } }) as unknown as HttpRequest;

const issuer = await tokenIssuer();

interface Changes {
  readonly row?: Partial<Credential>;
  readonly toleranceS?: number;
  readonly lifetimeDaysMax?: number;
  /** The keys that the issuer publishes; by default the one that tokens are minted with. */
  readonly keys?: readonly unknown[];
}

function authenticator({ row, keys = [issuer.jwk], ...terms }: Changes = {}) {
  const getStored = vi.fn(async () => row as Credential | undefined);
  const authenticate = accessToken({
    issuer: ISSUER,
    audience: AUDIENCE,
    type: "at+jwt",
    keys: issuerKeys(...keys),
    credentials: { get: getStored },
    clock: () => NOW,
    lifetimeDaysMax: 366,
    ...terms,
  });
  return { getStored, ask: (authorization?: string) => authenticate(requestWith(authorization)) };
}

const refusal = { code: "invalid_credentials", message: "The credentials are missing or not valid." };

const ownerOf = async (token: string, changes?: Changes) =>
  (await authenticator(changes).ask(`Bearer ${token}`)).owner;
const expectRefused = (token: string, changes?: Changes) =>
  expect(ownerOf(token, changes)).rejects.toMatchObject(refusal);
const expectJudged = async (isGood: boolean, token: string, changes: Changes) =>
  isGood ? expect(await ownerOf(token, changes)).toBe("business-1") : expectRefused(token, changes);

describe("a good token", () => {
  test("names its subject as owner and the words of its scope as scopes", async () => {
    const { ask, getStored } = authenticator();
    const token = await issuer.mint({ scope: "transactions.read other" });
    expect(await ask(`Bearer ${token}`)).toEqual({
      owner: "business-1",
      scopes: ["transactions.read", "other"],
    });
    expect(getStored).toHaveBeenCalledWith(`subject#${ISSUER}#business-1`);
  });

  test.each(["RS256", "PS256", "ES256", "EdDSA", "Ed25519"])("may be signed with %s", async (alg) => {
    const other = await tokenIssuer(alg);
    expect(await ownerOf(await other.mint(), { keys: [other.jwk] })).toBe("business-1");
  });

  test.each(["bearer ", "BEARER ", "Bearer  "])("is accepted after %j", async (scheme) => {
    expect((await authenticator().ask(`${scheme}${await issuer.mint()}`)).owner).toBe("business-1");
  });

  test("a scope that is not a text, or a longer word, gives no scope", async () => {
    const { ask } = authenticator();
    expect((await ask(`Bearer ${await issuer.mint({ scope: 7 })}`)).scopes).toEqual([]);
    expect((await ask(`Bearer ${await issuer.mint({ scope: undefined })}`)).scopes).toEqual([]);
  });
});

describe("the header", () => {
  test.each([
    (t: string) => `Bearer ${t}, Bearer bad`,
    (t: string) => `Bearer bad, Bearer ${t}`,
    () => "Bearer",
    (t: string) => `Bearer${t}`,
    (t: string) => `Bearer\t${t}`,
    (t: string) => `Basic ${t}`,
    (t: string) => `Bearer ${t} ${t}`,
    (t: string) => t,
    () => "",
  ])("is refused unless it is one scheme and one token (%#)", async (spell) => {
    await expect(authenticator().ask(spell(await issuer.mint()))).rejects.toMatchObject(refusal);
  });

  test("is required", async () => {
    await expect(authenticator().ask()).rejects.toMatchObject(refusal);
  });
});

describe("a bad token", () => {
  test.each([
    ["another issuer", { iss: "https://other.example" }],
    ["no issuer", { iss: undefined }],
    ["another audience", { aud: "passes" }],
    ["no audience", { aud: undefined }],
    ["no exp", { exp: undefined }],
    ["exp that is not a number", { exp: "soon" as unknown as number }],
    ["no sub", { sub: undefined }],
    ["empty sub", { sub: "" }],
    ["sub without end", { sub: "b".repeat(257) }],
    ["sub with half of a surrogate pair", { sub: "business-\ud83d" }],
    ["iat ahead", { iat: SECONDS + 31 }],
  ])("with %s is refused", async (_name, claims) => {
    await expectRefused(await issuer.mint(claims));
  });

  test.each([
    ["another typ", { typ: "JWT" }],
    ["no typ", { typ: undefined }],
    ["an unknown kid", { kid: "../../dev/null" }],
    ["crit", { crit: [] }],
    ["b64", { b64: false }],
  ])("whose header has %s is refused", async (_name, header) => {
    const token = await issuer.mint({}, header).catch(async () => forgeHeader(await issuer.mint(), header));
    await expectRefused(token);
  });

  test("signed with another issuer's key is refused, and an address in it is not fetched", async () => {
    const stranger = await tokenIssuer();
    const fetched = vi.spyOn(globalThis, "fetch");
    const url = "https://evil.example";
    for (const header of [{}, { jku: url }, { x5u: url }, { jwk: stranger.jwk }])
      await expectRefused(await stranger.mint({}, header));
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });

  test.each(["HS256", "none", "nOnE", "HS512"])(
    "with alg %s, keyed with the public key's text, is refused",
    async (alg) => {
      const pem = await exportSPKI(issuer.publicKey);
      const [, payload] = (await issuer.mint()).split(".");
      const header = Buffer.from(JSON.stringify({ alg, typ: "at+jwt", kid: "key-1" })).toString("base64url");
      const mac = createHmac("sha256", pem).update(`${header}.${payload}`).digest("base64url");
      for (const signature of [mac, ""]) await expectRefused(`${header}.${payload}.${signature}`);
    },
  );

  test("in another spelling of the same bytes is refused", async () => {
    const token = await issuer.mint();
    const last = token.at(-1) as string;
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const alias = `${token.slice(0, -1)}${alphabet[alphabet.indexOf(last) + 1]}`;
    const signatureOf = (text: string) => Buffer.from(text.split(".")[2] ?? "", "base64url");
    expect(signatureOf(alias)).toEqual(signatureOf(token));
    for (const other of [alias, `${token}=`]) await expectRefused(other);
  });

  test.each([{ "x5t#S256": "abc" }, { jkt: "abc" }, {}, "abc", null])(
    "bound to %j, which the request does not prove, is refused",
    async (cnf) => {
      await expectRefused(await issuer.mint({ cnf }));
    },
  );

  test("of a revoked or expired subject is refused", async () => {
    const token = await issuer.mint();
    for (const row of [{ revokedAt: NOW }, { expiresAt: NOW }]) await expectRefused(token, { row });
    expect(await ownerOf(token, { row: { expiresAt: NOW + 1 } })).toBe("business-1");
  });
});

describe("an issuer's keys", () => {
  const askWith = (keys: readonly unknown[], token: string) => ownerOf(token, { keys });
  const without = (jwk: JWK, ...members: readonly string[]) =>
    Object.fromEntries(Object.entries(jwk).filter(([name]) => !members.includes(name)));

  test.each([
    ["EdDSA", "EdDSA"],
    ["EdDSA", "Ed25519"],
    ["Ed25519", "EdDSA"],
    ["Ed25519", "Ed25519"],
    [undefined, "EdDSA"],
    [undefined, "Ed25519"],
  ])("of Ed25519 have one algorithm by two names: published as %s, used as %s", async (alg, used) => {
    const { jwk, mint } = await tokenIssuer("EdDSA");
    const published = { ...without(jwk, "alg"), ...(alg !== undefined && { alg }) };
    expect(await askWith([published], await mint({}, { alg: used }))).toBe("business-1");
  });

  test("that fit a token without kid are tried in turn, so that it survives a rotation", async () => {
    const next = await tokenIssuer("ES256", "key-2");
    const strangers = [await tokenIssuer("EdDSA", "key-3"), await tokenIssuer("RS256", "key-4")];
    const keys = [...strangers.map(({ jwk }) => jwk), next.jwk, issuer.jwk];
    for (const { mint } of [issuer, next, ...strangers]) {
      const alg = strangers.find((one) => one.mint === mint)?.jwk.alg ?? "ES256";
      expect(await askWith(keys, await mint({}, { kid: undefined, alg }))).toBe("business-1");
    }
  });

  test("that share one kid are all tried, and no others, when a token names that kid", async () => {
    const twin = await tokenIssuer("ES256", "key-1");
    const other = await tokenIssuer("ES256", "key-2");
    const keys = [twin.jwk, issuer.jwk, other.jwk, without(other.jwk, "kid")];
    for (const { mint } of [issuer, twin]) expect(await askWith(keys, await mint())).toBe("business-1");
    for (const kid of ["key-1", "key-9", "", 2, null])
      await expect(askWith(keys, await other.mint({}, { kid }))).rejects.toMatchObject(refusal);
  });

  test("are limited to eight tries per token", async () => {
    const made = Array.from({ length: 8 }, (_, at) => tokenIssuer("ES256", `other-${at}`));
    const keys = (await Promise.all(made)).map(({ jwk }) => jwk);
    const token = await issuer.mint({}, { kid: undefined });
    expect(await askWith([...keys.slice(1), issuer.jwk], token)).toBe("business-1");
    await expect(askWith([...keys, issuer.jwk], token)).rejects.toMatchObject(refusal);
  });

  test.each([
    ["another use", { use: "enc" }],
    ["another operation", { key_ops: ["sign"] }],
    ["no operation", { key_ops: [] }],
    ["operations that are not a list", { key_ops: "verify" }],
    ["their private half in the set", { d: "AAAA" }],
    ["another algorithm", { alg: "ES384" }],
    ["a point on no curve", { x: "AAAA" }],
  ])("that have %s do not count, and do not stop the others", async (_, members) => {
    const bad = { ...issuer.jwk, ...members };
    const spare = await tokenIssuer("ES256", "spare");
    const token = await issuer.mint({}, { kid: undefined });
    await expect(askWith([bad, spare.jwk], token)).rejects.toMatchObject(refusal);
    expect(await askWith([null, 7, "key", {}, bad, spare.jwk, issuer.jwk], token)).toBe("business-1");
  });

  test("count although a member of theirs is null, which says nothing", async () => {
    const bare = { ...issuer.jwk, use: null, alg: null, key_ops: null, d: null };
    expect(await askWith([bare], await issuer.mint())).toBe("business-1");
  });

  test("for which anybody could sign do not count", async () => {
    const header = { typ: "at+jwt", kid: "weak" };
    for (const { jwk, forge } of forgeableKeys()) {
      const seconds = Math.floor(NOW / 1000);
      const claims = { iss: ISSUER, aud: AUDIENCE, sub: "business-1", exp: seconds + 60 };
      const parts = [{ ...header, alg: jwk.alg }, claims];
      const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
      const token = `${signed}.${forge(signed).toString("base64url")}`;
      await expect(askWith([{ ...jwk, kid: "weak" }, issuer.jwk], token)).rejects.toMatchObject(refusal);
    }
  });
});

describe("the end of a token", () => {
  const DAY_S = 86_400;
  test.each([
    ["366 days ahead, and half a minute for clocks that differ", SECONDS + 366 * DAY_S + 30, undefined, true],
    ["a second further", SECONDS + 366 * DAY_S + 31, undefined, false],
    ["an hour ahead in milliseconds", NOW + 3_600_000, undefined, false],
    ["an hour ahead in microseconds", (NOW + 3_600_000) * 1000, undefined, false],
    ["a hundred years ahead", SECONDS + 36_525 * DAY_S, undefined, false],
    ["beyond every number", 1e308, undefined, false],
    ["as far as a stage allows", SECONDS + DAY_S + 30, 1, true],
    ["further than a stage allows", SECONDS + DAY_S + 31, 1, false],
  ])("may lie no further ahead than a token may live: %s", async (_, exp, lifetimeDaysMax, accepted) => {
    const terms = { ...(lifetimeDaysMax !== undefined && { lifetimeDaysMax }) };
    await expectJudged(accepted, await issuer.mint({ exp }), terms);
  });
});

describe("clock tolerance", () => {
  test.each([
    [60, { exp: SECONDS - 59 }, true],
    [60, { exp: SECONDS - 60 }, false],
    [60, { exp: SECONDS - 61 }, false],
    [60, { nbf: SECONDS + 60 }, true],
    [60, { nbf: SECONDS + 61 }, false],
    [0, { exp: SECONDS }, false],
    [0, { exp: SECONDS + 1 }, true],
    [30, { iat: SECONDS + 30 }, true],
    [undefined, { exp: SECONDS - 29 }, true],
    [undefined, { exp: SECONDS - 30 }, false],
  ])("of %s s: %j is accepted: %s", async (toleranceS, claims, accepted) => {
    const terms = { ...(toleranceS !== undefined && { toleranceS }) };
    await expectJudged(accepted, await issuer.mint(claims), terms);
  });
});

function forgeHeader(token: string, changes: Record<string, unknown>): string {
  const [header = "", ...rest] = token.split(".");
  const forged = { ...JSON.parse(Buffer.from(header, "base64url").toString()), ...changes };
  return [Buffer.from(JSON.stringify(forged)).toString("base64url"), ...rest].join(".");
}
