import { describe, expect, test } from "vitest";
import { contractVersion } from "../../../lib/passes/contract-version.ts";
import { entityTag } from "../../../lib/passes/entity-tag.ts";
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
});

describe("400", () => {
  test.each(["2999-01-01", undefined])(
    "answers the version %j, once the caller is known",
    async (version) => {
      const { get, call } = await open();
      const headers = { "service-api-version": version };
      const refused = await get({ headers });
      expect([refused.statusCode, codeOf(refused.body)]).toEqual([400, "unsupported_version"]);
      expect(refused.body).toContain(VERSION);
      expect((await call(walletEvent({ headers }))).statusCode).toBe(401);
    },
  );

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
      expect(body).toContain("There is no pass with this reference.");
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
    expect(body).toContain("The pass is gone for good.");
    expect(headers).not.toHaveProperty("ETag");
  });
});

describe("429", () => {
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

const HEADER = "Service-API-Version";

describe("the contract's version", () => {
  const versions = ["2026-07-01", "2027-01-01"];
  const choose = (headers: Record<string, string>) => contractVersion(headers, HEADER, versions);

  test.each(versions)("is the one that the header names: %s", (version) =>
    expect(choose({ "service-api-version": version })).toBe(version),
  );

  test.each([
    ["none", {}],
    ["another date", { "service-api-version": "2026-07-02" }],
    ["a date that is not", { "service-api-version": "2026-06-31" }],
    ["the same date otherwise", { "service-api-version": "2026-7-1" }],
    ["an instant of the same date", { "service-api-version": "2026-07-01T00:00:00Z" }],
    ["the same date behind a space", { "service-api-version": " 2026-07-01" }],
    ["an empty text", { "service-api-version": "" }],
    ["another word", { "service-api-version": "v1" }],
    ["the same date twice", { "service-api-version": "2026-07-01,2026-07-01" }],
    ["more than one", { "service-api-version": "2026-07-01, 2027-01-01" }],
    ["one under the name of what every object has", { constructor: "2026-07-01" }],
  ])("is refused where the header names %s, and all that there are is told", (_, headers) =>
    expect(() => choose(headers)).toThrow(
      expect.objectContaining({
        code: "unsupported_version",
        message: "Service-API-Version: must be one of 2026-07-01, 2027-01-01.",
      }),
    ),
  );
});
