import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newApiKey, rampKeyId } from "../../../../lib/auth/credential.ts";
import { newExchangeApiKey } from "../../../../lib/auth/exchange-key.ts";
import { contractBrand } from "../../../../lib/brand.ts";
import { statusOf } from "../../../../lib/http/error-response.ts";
import type { Exchange } from "../../../../local/gateway/exchange.ts";
import { readTarget } from "../../../../local/gateway/request-target.ts";
import { ownResponse } from "../../../../local/gateway/response.ts";
import { presentedBy } from "../../../../local/history/explain.ts";
import { explanationSchema } from "../../../../local/history/explain-route.ts";
import { History } from "../../../../local/history/history.ts";
import type { RequestReport } from "../../../../local/log/request-line.ts";

const jsonPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const claims = {
  iss: "https://issuer",
  aud: "a",
  sub: "acme",
  scope: "transactions.read",
  exp: 1_795_554_000,
};
const token = `${jsonPart({ alg: "ES256", kid: "k1" })}.${jsonPart(claims)}.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg`;

function reportOf(requestId: string, more: Partial<Exchange> = {}): RequestReport {
  const sentTarget = more.sentTarget ?? "/transactions?count=5";
  const body = Buffer.from(JSON.stringify({ secret: "of a record" }));
  const exchange: Exchange = {
    requestId,
    receivedAtMs: 1_795_554_000_000,
    durationMs: 5,
    method: "GET",
    sentTarget,
    target: readTarget(sentTarget, ""),
    headers: { authorization: `Bearer ${token}` },
    match: {
      route: { routeKey: "GET /transactions", functionName: "f", integrationTimeoutMs: 1 },
      pathParameters: {},
    },
    response: { statusCode: 200, headers: { "request-id": `mine-${requestId}`, ratelimit: "r" }, body },
    ...more,
  };
  return { exchange, hints: ["A hint."], calls: [] };
}

const refused: Exchange["response"] = {
  statusCode: statusOf.invalid_credentials,
  headers: { "request-id": "mine" },
  body: Buffer.from(
    JSON.stringify({ code: "invalid_credentials", error_id: "e-1", message: "No.", timestamp: 1 }),
  ),
};

const line = (requestId: string, members: object): string =>
  JSON.stringify({ gateway_request_id: requestId, status: 200, ...members });

describe("a remembered answer", () => {
  test("is found by each of its ids, with what the function said, whichever came first", () => {
    for (const order of ["line first", "answer first"]) {
      const history = new History(contractBrand);
      if (order === "line first") history.hear(line("g-1", { reason: "unknown API key" }));
      history.answered(reportOf("g-1", { response: refused }));
      if (order === "answer first") history.hear(line("g-1", { reason: "unknown API key" }));
      for (const id of ["g-1", "mine", "e-1"])
        expect(history.find(id)).toMatchObject({
          requestId: "g-1",
          code: "invalid_credentials",
          reason: "unknown API key",
          hints: ["A hint."],
        });
      expect(history.find("another")).toBeUndefined();
    }
  });

  test("names the caller, the parameters and what is left, in the form that the channel promises", () => {
    const history = new History(contractBrand);
    history.answered(reportOf("g-1"));
    history.hear(line("g-1", { owner: "acme" }));
    const found = history.find("g-1");
    expect(explanationSchema.parse(found)).toEqual(found);
    expect(found).toMatchObject({
      endpoint: "list-transactions",
      owner: "acme",
      parameters: { count: "5" },
      tokensLeft: "r",
      receivedAt: "2026-11-24T21:00:00.000Z",
    });
  });

  test("has parameters only where its function read them", () => {
    const history = new History(contractBrand);
    history.answered(reportOf("g-1", { response: refused }));
    history.answered(reportOf("g-2", { sentTarget: "/transactions?count=x" }));
    for (const id of ["g-1", "g-2"]) expect(history.find(id)).not.toHaveProperty("parameters");
  });

  test("has no steps when the gateway answered by itself, and says why it did", () => {
    const history = new History(contractBrand);
    history.answered(reportOf("g-1", { response: ownResponse(503, "no answer within 5 ms") }));
    expect(history.find("g-1")).toMatchObject({ steps: [], reason: "no answer within 5 ms" });
    const stint = { session: "s", beganNs: 0n, endedNs: 1n };
    const failed = { ...ownResponse(500, "TypeError: a record's text\n    at f"), stint };
    history.answered(reportOf("g-2", { response: failed }));
    expect(history.find("g-2")?.reason).toMatch(/^the function failed/);
    const spoiled = { ...ownResponse(503, "on purpose: the fault 503"), stint, fault: "503" };
    history.answered(reportOf("g-3", { response: spoiled }));
    expect(history.find("g-3")?.reason).toBe("on purpose: the fault 503");
  });

  test("is forgotten when enough others have come, and so are its ids and its line", () => {
    const history = new History(contractBrand, 3);
    for (const id of ["g-1", "g-2", "g-3", "g-4"]) {
      history.hear(line(id, { owner: id }));
      const body = Buffer.from(JSON.stringify({ code: "not_found", error_id: `e-${id}` }));
      const response = { statusCode: statusOf.not_found, headers: { "request-id": `mine-${id}` }, body };
      history.answered(reportOf(id, { response }));
    }
    expect([history.find("g-1"), history.find("mine-g-1")]).toEqual([undefined, undefined]);
    expect(["mine-g-2", "e-g-2", "g-4"].map((id) => history.find(id)?.owner)).toEqual(["g-2", "g-2", "g-4"]);
    expect(history.size).toBe(3);
  });
});

describe("no secret is remembered,", () => {
  const secrets = fc.oneof(fc.constant(null).map(newApiKey), fc.constant(null).map(newExchangeApiKey));

  test("whichever header, parameter or body carries it", () => {
    fc.assert(
      fc.property(secrets, fc.constantFrom("access_token", "a", "cursor"), (secret, name) => {
        const headers = {
          "x-api-key": secret,
          "x-svc-api-key": secret,
          "x-svc-signature": secret,
          "x-svc-timestamp": secret,
          "jws-signature": `${secret}..${secret}`,
          authorization: `Bearer ${secret}.${secret}.${secret}`,
        };
        const message = `There is no ${secret}.`;
        const body = Buffer.from(JSON.stringify({ code: "not_found", error_id: "e", message, timestamp: 1 }));
        const response = { ...refused, body };
        const history = new History(contractBrand);
        const sentTarget = `/transactions?${name}=${secret}`;
        history.answered(reportOf("g-1", { headers, response, sentTarget }));
        expect(JSON.stringify(history.find("g-1"))).not.toContain(secret);
      }),
    );
  });

  test("nor the signature of a token, nor a record", () => {
    const history = new History(contractBrand);
    history.answered(reportOf("g-1"));
    expect(JSON.stringify(history.find("g-1"))).not.toMatch(/c2lnbmF0dXJl|of a record/);
  });
});

describe("the credentials of a request are told by what names them:", () => {
  const told = (headers: Record<string, string>, more: object = {}) =>
    presentedBy({ headers, ...more }, contractBrand);

  test("a token by its key and its claims", () => {
    const { exp: _, ...texts } = claims;
    expect(told({ authorization: `bearer ${token}` })).toEqual([
      {
        kind: "access token",
        names: { alg: "ES256", kid: "k1", ...texts, expires: "2026-11-24T21:00:00.000Z" },
      },
    ]);
  });

  test("keys by the ids that `keys list` shows", () => {
    const key = newApiKey();
    expect(told({ "x-api-key": key })).toEqual([{ kind: "API key", names: { key: rampKeyId(key) } }]);
    expect(
      told({ "x-svc-api-key": "k", "x-svc-timestamp": "1795554000000", "x-svc-signature": "s" }),
    ).toEqual([
      {
        kind: "signature",
        names: { key: expect.stringMatching(/^exchange-key#[0-9a-f]{64}$/), timestamp: "1795554000000" },
      },
    ]);
  });

  test("a detached signature by its header, and a certificate by its subject", () => {
    const clientCert = { subjectDN: "CN=wallet", serialNumber: "01" };
    expect(told({ "jws-signature": `${jsonPart({ alg: "EdDSA", kid: "k2" })}..x` }, { clientCert })).toEqual([
      { kind: "detached JWS", names: { alg: "EdDSA", kid: "k2" } },
      { kind: "client certificate", names: { subject: "CN=wallet", serial: "01" } },
    ]);
  });

  test("a certificate without a subject by its number alone, and neither at any length", () => {
    const byNumber = { subjectDN: "", serialNumber: "01" };
    expect(told({}, { clientCert: byNumber })).toEqual([
      { kind: "client certificate", names: { serial: "01" } },
    ]);
    const long = { subjectDN: `CN=${"x".repeat(9_000)}`, serialNumber: "ff:".repeat(9_000) };
    const names = { subject: long.subjectDN.slice(0, 200), serial: long.serialNumber.slice(0, 200) };
    expect(told({}, { clientCert: long })).toEqual([{ kind: "client certificate", names }]);
  });

  test("and nothing makes it fail", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.json(), (one, other, json) => {
        const part = Buffer.from(json).toString("base64url");
        const parts = [one, `Bearer ${one}.${other}.x`, `Bearer ${part}.${part}.x`];
        for (const authorization of parts)
          expect(told({ authorization, "jws-signature": other })).toHaveLength(2);
      }),
    );
    const endless = `${jsonPart({})}.${jsonPart({ exp: 1e300 })}.x`;
    expect(told({ authorization: `Bearer ${endless}` })).toEqual([
      { kind: "access token", names: { expires: "" } },
    ]);
  });
});
