import type { Context } from "aws-lambda";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Credential } from "../../../lib/auth/credential.ts";
import { signedRequest } from "../../../lib/auth/signed-request.ts";
import { contractBrand } from "../../../lib/brand.ts";
import type { EndpointContract } from "../../../lib/http/contract.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { defaultFreshness } from "../../../lib/signature/settings.ts";
import { signParts } from "../../../local/signing/sign-request.ts";
import { freeLimiter, NOW } from "../../support/chain.ts";
import { smallOrderEncodings } from "../../support/edwards.ts";
import { API_KEY, exchangeCredential, keyPairOf, signedEvent, trader } from "../../support/signing.ts";

const contract = {
  name: "get-symbol",
  method: "GET",
  route: "/1.0/trades/all/{symbol}",
  scheme: "Signature",
  scope: "trades.read",
  path: z.object({
    symbol: z.string().check(z.regex(/^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$/, "must be a symbol")),
  }),
  query: z.object({}),
  repeatable: [],
  retryAfterUnit: "milliseconds",
  cacheControl: "no-store",
  limit: { name: "sample", costMax: 1, defaultBuckets: [] },
  env: z.object({}),
} as const satisfies EndpointContract;

interface Setting {
  readonly credential?: Credential | undefined;
  readonly brand?: { readonly headerPrefix: string; readonly basePath: string };
}

/** An endpoint behind signed requests, on a clock that stands at NOW, and the ids it looked up. */
function exchangeOf(setting: Setting = {}) {
  const credential = "credential" in setting ? setting.credential : exchangeCredential();
  const lookedUp: string[] = [];
  const handler = endpoint({
    contract,
    switches: { get: async () => ({ on: true }) },
    authenticate: signedRequest({
      brand: setting.brand ?? contractBrand,
      freshness: defaultFreshness,
      credentials: {
        get: async (id) => {
          lookedUp.push(id);
          return id === credential?.id ? credential : undefined;
        },
      },
      clock: () => NOW,
    }),
    plan: async ({ principal }) => ({ cost: 1, answer: async () => ({ body: JSON.stringify(principal) }) }),
    limiter: freeLimiter,
    clock: () => NOW,
    log: () => {},
  });
  const call = async (event: unknown) => handler(event, {} as Context);
  return { lookedUp, call };
}

const statusOf = async (event: unknown, setting: Setting = {}) =>
  (await exchangeOf(setting).call(event)).statusCode;

const headersOf = (event: Record<string, unknown>) => event.headers as Record<string, string>;
const withHeader = (name: string, value: string | undefined, event = signedEvent()) => {
  const rest = Object.fromEntries(
    Object.entries(headersOf(event)).filter(([known]) => known !== `X-Svc-${name}`),
  );
  return { ...event, headers: value === undefined ? rest : { ...rest, [`X-Svc-${name}`]: value } };
};

describe("a signed request", () => {
  test("proves its owner and scopes", async () => {
    const response = await exchangeOf().call(signedEvent());
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(response.body)).toEqual({
      owner: "trader-1",
      scopes: ["trades.read"],
      credentials: [exchangeCredential().id],
    });
  });

  test("may be sent again: it only reads", async () => {
    const { call } = exchangeOf();
    for (let time = 0; time < 3; time += 1) expect((await call(signedEvent())).statusCode).toBe(200);
  });

  test("without the scope is 403", async () => {
    expect(await statusOf(signedEvent(), { credential: exchangeCredential({ scopes: ["trades"] }) })).toBe(
      403,
    );
  });

  test("signs the public path: base path of the domain, then the path without a named stage", async () => {
    const brand = { headerPrefix: "X-Other-", basePath: "/api" };
    const signed = signedEvent({ basePath: "/api", prefix: "X-Other-" });
    expect(await statusOf(signed, { brand })).toBe(200);
    expect(await statusOf(signedEvent({ prefix: "X-Other-" }), { brand })).toBe(401);
    const inStage = {
      rawPath: "/prod/1.0/trades/all/BTC-USD",
      requestContext: { stage: "prod", http: { method: "GET" } },
    };
    expect(await statusOf(signedEvent({}, inStage))).toBe(200);
    const likeStage = { ...inStage, rawPath: "/production/1.0/trades/all/BTC-USD" };
    expect(await statusOf(signedEvent({}, likeStage))).toBe(401);
  });

  test("signs the query in the order and the encoding in which it was sent", async () => {
    const rawQuery = "limit=10&start_date=1795467600000&cursor=a%2Cb";
    expect(await statusOf(signedEvent({ rawQuery }))).toBe(200);
    for (const changed of [
      "start_date=1795467600000&limit=10&cursor=a%2Cb",
      "limit=10&start_date=1795467600000&cursor=a,b",
      `${rawQuery}&`,
      "",
      rawQuery.replace("%2C", "%2c"),
    ])
      expect(await statusOf(signedEvent({ rawQuery }, { rawQueryString: changed }))).toBe(401);
  });

  test("signs its path as the gateway decodes it", async () => {
    const decoded = { rawPath: "/1.0/trades/all/BTC-USD", pathParameters: { symbol: "BTC-USD" } };
    expect(await statusOf(signedEvent({ path: "/1.0/trades/all/BTC%2DUSD" }, decoded))).toBe(200);
    const encoded = {
      timestamp: String(NOW),
      method: "GET",
      path: "/1.0/trades/all/BTC%2DUSD",
      rawQuery: "limit=10",
    };
    expect(await statusOf(withHeader("Signature", signParts(encoded, trader.privateKey)))).toBe(401);
  });

  test("serves no other method", async () => {
    const asHead = { requestContext: { stage: "$default", http: { method: "HEAD" } } };
    expect(await statusOf(signedEvent({}, asHead))).toBe(401);
  });
});

test("of every way to cut one signed text into path, query and body, only the original is accepted", async () => {
  const [path, rawQuery] = ["/1.0/trades/all/BTC-USD", "limit=10&start_date=1795467600000"];
  const event = signedEvent({ path, rawQuery });
  const text = path + rawQuery;
  const accepted: string[] = [];
  for (let end = 0; end <= text.length; end += 1) {
    for (let bodyAt = end; bodyAt <= text.length; bodyAt += 1) {
      const [cutPath, cutQuery, body] = [text.slice(0, end), text.slice(end, bodyAt), text.slice(bodyAt)];
      const pathParameters = { symbol: cutPath.split("/").at(-1) ?? "" };
      const cut = { ...event, rawPath: cutPath, rawQueryString: cutQuery, body, pathParameters };
      if ((await statusOf(cut)) < 300) accepted.push(`${cutPath}?${cutQuery} ${body}`);
    }
  }
  expect(accepted).toEqual([`${path}?${rawQuery} `]);
});

test("a path that was decoded to hold a question mark or a hash is refused, even when it is signed so", async () => {
  for (const path of ["/1.0/trades/all/BTC-USD?limit=1", "/1.0/trades/all/BTC-USD#x"]) {
    const sameText = signedEvent({ path: "/1.0/trades/all/BTC-USD", rawQuery: path.slice(23) });
    expect(await statusOf({ ...sameText, rawPath: path, rawQueryString: "" })).toBe(401);
  }
});

describe("an invalid proof is 401 with one body, before and after the lookup", () => {
  const other = keyPairOf("somebody else");
  const { publicKey: _, ...keyless } = exchangeCredential();
  const cases: [string, Record<string, unknown>, Setting][] = [
    ["no headers", { ...signedEvent(), headers: null }, {}],
    ["no API key", withHeader("API-Key", undefined), {}],
    ["no timestamp", withHeader("Timestamp", undefined), {}],
    ["no signature", withHeader("Signature", undefined), {}],
    ["an API key of 63 characters", withHeader("API-Key", API_KEY.slice(1)), {}],
    ["an API key of 65 characters", withHeader("API-Key", `${API_KEY}k`), {}],
    ["an API key with other characters", withHeader("API-Key", `-${API_KEY.slice(1)}`), {}],
    ["an API key in other case", withHeader("API-Key", API_KEY.toUpperCase()), {}],
    ["an API key sent twice", withHeader("API-Key", `${API_KEY},${API_KEY}`), {}],
    [
      "a signature sent twice",
      withHeader("Signature", `${headersOf(signedEvent())["X-Svc-Signature"]},x`),
      {},
    ],
    ["a malformed signature", withHeader("Signature", "x".repeat(88)), {}],
    ["a signature of another instant", withHeader("Timestamp", String(NOW - 1)), {}],
    [
      "a signature by another key",
      signedEvent(),
      { credential: exchangeCredential({ publicKey: other.publicKeyHex }) },
    ],
    ["an unknown API key", signedEvent(), { credential: undefined }],
    ["a revoked key", signedEvent(), { credential: exchangeCredential({ revokedAt: NOW - 1 }) }],
    ["an expired key", signedEvent(), { credential: exchangeCredential({ expiresAt: NOW }) }],
    ["a credential without a public key", signedEvent(), { credential: keyless }],
    ["a body", { ...signedEvent(), body: "x" }, {}],
    ["a query that begins in upper case", signedEvent({ rawQuery: "Limit=10" }), {}],
  ];

  test.each(cases)("%s", async (_, event, setting) => {
    const response = await exchangeOf(setting).call(event);
    expect(response.statusCode).toBe(401);
    expect(response.headers["WWW-Authenticate"]).toMatch(/^Signature realm=/);
    expect(JSON.parse(response.body)).toEqual({
      error_id: expect.any(String),
      code: "invalid_credentials",
      message: "The credentials are missing or not valid.",
      timestamp: NOW,
    });
  });

  test.each([API_KEY.slice(1), `${API_KEY}k`, `-${API_KEY.slice(1)}`, `${API_KEY},${API_KEY}`, ""])(
    "an API key of the form %o is not looked up",
    async (apiKey) => {
      const { call, lookedUp } = exchangeOf();
      await call(withHeader("API-Key", apiKey));
      expect(lookedUp).toEqual([]);
    },
  );

  test("a stored key of small order opens nothing, whatever is signed", async () => {
    const identityR = Buffer.alloc(64);
    identityR[0] = 1;
    for (const bytes of smallOrderEncodings()) {
      const stored = exchangeCredential({ publicKey: Buffer.from(bytes).toString("hex") });
      for (const r of [...smallOrderEncodings(), identityR.subarray(0, 32)]) {
        const signature = Buffer.concat([r, Buffer.alloc(32)]).toString("base64");
        expect(await statusOf(withHeader("Signature", signature), { credential: stored })).toBe(401);
      }
    }
  });
});

describe("a timestamp", () => {
  test.each([
    [-30_000, 200],
    [-30_001, 401],
    [5_000, 200],
    [5_001, 409],
    [31_536_000_000, 409],
  ])("%i ms from the server's time is %i", async (offset, status) => {
    expect(await statusOf(signedEvent({ now: NOW + offset }))).toBe(status);
  });

  test("that lies ahead is 409 only to a signature that verifies under a key in force", async () => {
    const ahead = signedEvent({ now: NOW + 6_000 });
    const response = await exchangeOf().call(ahead);
    expect(JSON.parse(response.body)).toMatchObject({
      code: "timestamp_in_future",
      message: expect.stringMatching(/timestamp is in the future: 6000 ms ahead/),
    });
    expect(await statusOf(withHeader("Signature", headersOf(signedEvent())["X-Svc-Signature"], ahead))).toBe(
      401,
    );
    expect(await statusOf(ahead, { credential: undefined })).toBe(401);
    expect(await statusOf(ahead, { credential: exchangeCredential({ revokedAt: NOW }) })).toBe(401);
  });

  test.each([
    ["stale", String(NOW - 31_000), /31000 ms behind the server's time, 1795554000000/],
    ["in seconds", String(NOW / 1000), /milliseconds, 13 digits.*1795554000000/],
    ["sent twice", `${NOW},${NOW}`, /milliseconds, 13 digits/],
  ])(
    "%s says so, alike for known and unknown keys, which are not looked up",
    async (_, timestamp, message) => {
      for (const credential of [exchangeCredential(), undefined]) {
        const { call, lookedUp } = exchangeOf({ credential });
        const response = await call(withHeader("Timestamp", timestamp));
        expect(response.statusCode).toBe(401);
        expect(JSON.parse(response.body).message).toMatch(message);
        expect(lookedUp).toEqual([]);
      }
    },
  );
});

test("a public key is made ready once for as long as its credential is remembered", async () => {
  const { call } = exchangeOf();
  await call(signedEvent());
  // A second request uses the prepared key, and still distinguishes signatures.
  expect(
    (await call(withHeader("Signature", headersOf(signedEvent({ now: NOW - 1 }))["X-Svc-Signature"])))
      .statusCode,
  ).toBe(401);
  expect((await call(signedEvent())).statusCode).toBe(200);
});
