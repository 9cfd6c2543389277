import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { Failure } from "../../../lib/errors.ts";
import { entityTag } from "../../../lib/passes/entity-tag.ts";
import { NOW } from "../../support/chain.ts";
import { AUDIENCE, ISSUER, tokenIssuer } from "../../support/tokens.ts";
import {
  jwsSigner,
  PASS_TEXT,
  passClaims,
  VERSION,
  type WalletRequest,
  walletCertificate,
  walletEndpoint,
  walletEvent,
} from "../../support/wallet.ts";

const TAG = entityTag(VERSION, PASS_TEXT);
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The endpoint, and a call with a valid token unless `headers` say something else. */
async function open(options?: Parameters<typeof walletEndpoint>[0]) {
  const wallet = await walletEndpoint(options);
  const token = await wallet.issuer.mint(passClaims);
  const get = ({ headers, ...request }: WalletRequest = {}) =>
    wallet.call(walletEvent({ ...request, headers: { authorization: `Bearer ${token}`, ...headers } }));
  return { ...wallet, token, get };
}

const codeOf = (body: string): unknown => (JSON.parse(body) as { code: unknown }).code;

describe("200", () => {
  test("is the whole pass to the letter, with its tag and what it varies with", async () => {
    const { get } = await open();
    expect(await get({ headers: { "request-id": "r-1" } })).toEqual({
      statusCode: 200,
      headers: {
        "Content-Type": "application/json",
        "Cache-Control": "private, no-cache",
        ETag: TAG,
        Vary: "Service-Api-Version",
        "Request-Id": "r-1",
      },
      body: PASS_TEXT,
      isBase64Encoded: false,
    });
  });

  test("is never compressed, so one tag names one text", async () => {
    const text = JSON.stringify({ partner_reference: "ref-1", semantics: { text: "x".repeat(8_000) } });
    const pass = { state: "current", text, version: 1, templateId: undefined } as const;
    const { get } = await open({ passes: { get: async () => pass } });
    for (const coding of [undefined, "gzip", "gzip;q=0", "br, gzip", "*"]) {
      const { headers, body, isBase64Encoded } = await get({ headers: { "accept-encoding": coding } });
      expect({ body, isBase64Encoded, tag: headers.ETag }).toEqual({
        body: text,
        isBase64Encoded: false,
        tag: entityTag(VERSION, text),
      });
      expect(headers).not.toHaveProperty("Content-Encoding");
    }
  });

  test("comes with a new tag once the pass has changed", async () => {
    let text = PASS_TEXT;
    const getStored = async () => ({ state: "current", text, version: 1, templateId: undefined }) as const;
    const { get } = await open({ passes: { get: getStored } });
    const before = await get();
    text = text.replace("10.50", "10.5");
    const after = await get({ headers: { "if-none-match": before.headers.ETag } });
    expect([after.statusCode, after.body]).toEqual([200, text]);
    expect(after.headers.ETag).not.toBe(before.headers.ETag);
  });

  test("does not depend on attributes that are stored beside the pass", async () => {
    let templateId = "tpl-1";
    const getStored = async () => ({ state: "current", text: PASS_TEXT, version: 7, templateId }) as const;
    const { get } = await open({ passes: { get: getStored } });
    const before = await get();
    templateId = "tpl-2";
    const after = await get();
    expect(after).toEqual({ ...before, headers: { ...after.headers, ETag: TAG } });
  });

  test.each(["bearer", "BEARER", "Bearer ", "Bearer"])("accepts the scheme %j", async (scheme) => {
    const { get, token } = await open();
    expect((await get({ headers: { authorization: `${scheme} ${token}` } })).statusCode).toBe(200);
  });

  test("accepts each kind of credential alone, and two of one owner", async () => {
    const wallet = await open();
    const { pem, id } = await walletCertificate();
    const signer = await jwsSigner();
    wallet.register(id);
    wallet.register(signer.id, { publicKey: signer.publicJwk });
    const authorization = `Bearer ${wallet.token}`;
    const jws = await signer.sign();
    const requests: WalletRequest[] = [
      { headers: { authorization } },
      { headers: { "jws-signature": jws } },
      { certificate: pem },
      { headers: { "jws-signature": jws }, certificate: pem },
      { headers: { authorization }, certificate: pem },
      { headers: { authorization, "jws-signature": jws }, certificate: pem },
    ];
    for (const request of requests) expect((await wallet.call(walletEvent(request))).statusCode).toBe(200);
  });
});

describe("304", () => {
  test("has the headers of the 200, its type too, and no body", async () => {
    const { get } = await open();
    expect(await get({ headers: { "if-none-match": TAG, "request-id": "r-2" } })).toEqual({
      statusCode: 304,
      headers: {
        "Content-Type": "application/json",
        "Cache-Control": "private, no-cache",
        ETag: TAG,
        Vary: "Service-Api-Version",
        "Request-Id": "r-2",
      },
      body: "",
    });
  });

  test.each(["*", `W/${TAG}`, `"x,y", ${TAG}`])("answers If-None-Match: %s", async (header) => {
    const { get } = await open();
    expect((await get({ headers: { "if-none-match": header } })).statusCode).toBe(304);
  });
});

describe("400", () => {
  test.each([
    "2026-06-31",
    "2026-7-1",
    `${VERSION},${VERSION}`,
    `${VERSION}T00:00:00Z`,
    ` ${VERSION}`,
    "",
    undefined,
    "2999-01-01",
    "v1",
  ])("answers the version %j, once the caller is known", async (version) => {
    const { get, call } = await open();
    const headers = { "service-api-version": version };
    const refused = await get({ headers });
    expect([refused.statusCode, codeOf(refused.body)]).toEqual([400, "unsupported_version"]);
    expect(refused.body).toContain(VERSION);
    expect((await call(walletEvent({ headers }))).statusCode).toBe(401);
  });

  test("takes the version from the header that the stage names", async () => {
    const { get } = await open({ settings: { VERSION_HEADER: "Acme-Version" } });
    expect((await get()).statusCode).toBe(400);
    const { statusCode, headers } = await get({ headers: { "acme-version": VERSION } });
    expect([statusCode, headers.Vary]).toEqual([200, "Acme-Version"]);
  });

  test("is decided before the pass is looked for", async () => {
    const { get, getStored } = await open();
    expect((await get({ reference: "nobody", headers: { "service-api-version": "x" } })).statusCode).toBe(
      400,
    );
    expect(getStored).not.toHaveBeenCalled();
  });
});

describe("401", () => {
  test("is the same for a current, a void, a missing and an impossible pass", async () => {
    const { call, getStored } = await open();
    const answers = await Promise.all(
      ["ref-1", "ref-gone", "nobody", "%00"].map((reference) =>
        call(walletEvent({ reference, headers: { "request-id": "r", "if-none-match": "*" } })),
      ),
    );
    const alike = answers.map(({ body, ...rest }) => ({
      ...rest,
      body: { ...JSON.parse(body), error_id: "" },
    }));
    for (const answer of alike) expect(answer).toEqual(alike[0]);
    expect(alike[0]).toMatchObject({
      statusCode: 401,
      headers: { "WWW-Authenticate": expect.stringContaining("Bearer") },
    });
    expect(getStored).not.toHaveBeenCalled();
  });

  test("answers an event without headers", async () => {
    const { call } = await open();
    for (const event of [
      { version: "2.0", rawQueryString: "" },
      { version: "1.0", headers: null, pathParameters: null, requestContext: null },
    ]) {
      expect((await call(event)).statusCode).toBe(401);
    }
  });

  const seconds = Math.floor(NOW / 1000);
  test.each([
    ["that has expired", { exp: seconds - 30 }, {}],
    ["that never expires", { exp: undefined }, {}],
    ["issued in the future", { iat: seconds + 31 }, {}],
    ["not yet valid", { nbf: seconds + 31 }, {}],
    ["for the business interface", { aud: AUDIENCE }, {}],
    ["for no audience", { aud: undefined }, {}],
    ["of another issuer", { iss: "https://other.example" }, {}],
    ["without a subject", { sub: undefined }, {}],
    ["of another type", {}, { typ: "JWT" }],
    ["without a type", {}, { typ: undefined }],
    ["with a kid nobody publishes", {}, { kid: "../../dev/null" }],
    ["with an empty list of extensions", {}, { crit: [] }],
    ["with a b64 member", {}, { b64: true }],
  ])("answers a token %s", async (_, claims, header) => {
    const { issuer, get } = await open();
    const token = await issuer
      .mint({ ...passClaims, ...claims }, header)
      .catch(() => mintUnchecked(claims, header));
    expect((await get({ headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(401);
  });

  test("answers a token of another key with the same kid", async () => {
    const { get } = await open();
    const token = await (await tokenIssuer()).mint(passClaims);
    expect((await get({ headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(401);
  });

  test("answers a token that chose none or a secret for its algorithm, and fetches nothing that a token names", async () => {
    const { get, fetchText, issuer } = await open();
    const secret = Buffer.from(JSON.stringify(issuer.jwk));
    const claims = { ...passClaims, iss: ISSUER, exp: seconds + 60 };
    const links = { jku: "https://evil.example/keys", x5u: "https://evil.example/cert", jwk: issuer.jwk };
    const tokens = [
      await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: "key-1", ...links })
        .sign(secret),
      ...["none", "nOnE"].map((alg) => {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
        return `${part({ alg, typ: "at+jwt" })}.${part(claims)}.`;
      }),
    ];
    for (const token of tokens)
      expect((await get({ headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(401);
    expect(fetchText.mock.calls.map(([url]) => url.host)).toEqual(
      fetchText.mock.calls.map(() => "issuer.example"),
    );
  });

  test("answers headers that are not a bearer token", async () => {
    const { get, token } = await open();
    for (const authorization of [
      "Bearer",
      `Bearer${token}`,
      `Basic ${token}`,
      `Bearer ${token}, Bearer x`,
      `Bearer x, Bearer ${token}`,
      `Bearer\t${token}`,
      "",
    ]) {
      expect((await get({ headers: { authorization } })).statusCode).toBe(401);
    }
  });

  test("answers a subject that was revoked", async () => {
    const { get, register } = await open();
    register(`subject#${ISSUER}#${passClaims.sub}`, { revokedAt: NOW - 1 });
    expect((await get()).statusCode).toBe(401);
  });

  test("answers a good credential beside a bad one, and two of different owners", async () => {
    const wallet = await open();
    const { pem, id } = await walletCertificate();
    const signer = await jwsSigner();
    wallet.register(id, { owner: "wallet-2" });
    expect((await wallet.get({ certificate: pem })).statusCode).toBe(401);
    expect((await wallet.get({ headers: { "jws-signature": await signer.sign() } })).statusCode).toBe(401);
    wallet.register(id);
    expect((await wallet.get({ certificate: pem })).statusCode).toBe(200);
    expect((await wallet.get({ certificate: pem, headers: { authorization: "Bearer x" } })).statusCode).toBe(
      401,
    );
  });
});

describe("403", () => {
  test.each(["", "transactions.read", "passes.read.all", "xpasses.read", "passes.READ"])(
    "answers a token with the scope %j",
    async (scope) => {
      const { get, issuer, getStored } = await open();
      const token = await issuer.mint({ ...passClaims, scope });
      const { statusCode, headers } = await get({
        headers: { authorization: `Bearer ${token}`, "service-api-version": "x" },
      });
      expect(statusCode).toBe(403);
      expect(headers["WWW-Authenticate"]).toContain('error="insufficient_scope"');
      expect(getStored).not.toHaveBeenCalled();
    },
  );
});

describe("404", () => {
  test.each(["nobody", "REF-1", "ref:ref-1", "ref-1 "])(
    "answers %j, which nobody published",
    async (reference) => {
      const { get } = await open();
      const { statusCode, body } = await get({ reference, headers: { "if-none-match": "*" } });
      expect([statusCode, codeOf(body)]).toEqual([404, "not_found"]);
    },
  );

  test.each(["", ".", "..", "%00", "ref/1", "cafe\u0301", "\u00e9".repeat(1_025), "a".repeat(2_049)])(
    "answers %j, which nobody can publish, without asking the store",
    async (reference) => {
      const { get, getStored } = await open();
      expect((await get({ reference })).statusCode).toBe(404);
      expect(getStored).not.toHaveBeenCalled();
    },
  );
});

describe("410", () => {
  test.each([undefined, "*", TAG])("answers a void pass, whatever tag is sent (%s)", async (tag) => {
    const { get } = await open();
    const { statusCode, headers, body } = await get({
      reference: "ref-gone",
      headers: { "if-none-match": tag },
    });
    expect([statusCode, codeOf(body)]).toEqual([410, "gone"]);
    expect(headers).not.toHaveProperty("ETag");
  });
});

describe("429", () => {
  test("says in whole seconds when to come back, before the pass is looked for", async () => {
    const { get, charge, getStored } = await open();
    charge.mockResolvedValue({ waitMs: 1_001, headers: { RateLimit: '"passes";r=0;t=2' } });
    const { statusCode, headers } = await get({ headers: { "request-id": "r-4" } });
    expect([statusCode, headers["Retry-After"], headers["Request-Id"]]).toEqual([429, "2", "r-4"]);
    expect(getStored).not.toHaveBeenCalled();
  });

  test("is charged to the owner, and only for requests that are answered", async () => {
    const { get, call, charge } = await open();
    await call(walletEvent());
    await get({ headers: { "service-api-version": "x" } });
    expect(charge).not.toHaveBeenCalled();
    await get();
    await get({ reference: "nobody" });
    expect(charge.mock.calls).toEqual([
      [passClaims.sub, 1, undefined],
      [passClaims.sub, 1, undefined],
    ]);
  });
});

describe("503", () => {
  test("says in whole seconds when to come back", async () => {
    const getStored = async () => {
      throw new Failure("temporarily_unavailable", "down", { retryAfterMs: 1_200 });
    };
    const { get } = await open({ passes: { get: getStored } });
    const { statusCode, headers, body } = await get({ headers: { "request-id": "r-3" } });
    expect([statusCode, headers["Retry-After"], headers["Request-Id"]]).toEqual([503, "2", "r-3"]);
    expect(body).not.toContain("down");
  });

  test("answers a token while the issuer's keys cannot be fetched", async () => {
    const { get, fetchText } = await open();
    fetchText.mockRejectedValue(new Error("ECONNREFUSED"));
    expect((await get()).statusCode).toBe(503);
  });
});

test("every status echoes the Request-Id, or makes one up", async () => {
  const { get, call } = await open();
  const answers = (headers: Record<string, string>) => [
    get({ headers }),
    get({ headers: { ...headers, "if-none-match": "*" } }),
    get({ headers: { ...headers, "service-api-version": "x" } }),
    call(walletEvent({ headers })),
    get({ reference: "nobody", headers }),
    get({ reference: "ref-gone", headers }),
  ];
  const echoed = await Promise.all(answers({ "request-id": "r-9" }));
  expect(echoed.map(({ statusCode }) => statusCode)).toEqual([200, 304, 400, 401, 404, 410]);
  for (const { headers } of echoed) expect(headers["Request-Id"]).toBe("r-9");
  for (const { headers } of await Promise.all(answers({}))) expect(headers["Request-Id"]).toMatch(REQUEST_ID);
});

test("no log line holds a reference, a token or a signature", async () => {
  const { get, token, lines } = await open();
  await get({ reference: "ref-secret" });
  await get({ headers: { "jws-signature": "a..b" } });
  expect(lines).toHaveLength(2);
  const written = JSON.stringify(lines);
  for (const secret of ["ref-secret", token, "a..b"]) expect(written).not.toContain(secret);
});

/** A token that the signer's library would refuse to make; its signature cannot matter. */
function mintUnchecked(claims: object, header: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "ES256", typ: "at+jwt", kid: "key-1", ...header })}.${part({ ...passClaims, ...claims })}.AAAA`;
}
