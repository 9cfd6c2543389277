import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../../../infra/endpoints.ts";
import { contractBrand } from "../../../../lib/brand.ts";
import { statusOf } from "../../../../lib/http/error-response.ts";
import type { Exchange } from "../../../../local/gateway/exchange.ts";
import { hostRule } from "../../../../local/gateway/host-rule.ts";
import { readTarget } from "../../../../local/gateway/request-target.ts";
import { createRouter } from "../../../../local/gateway/route.ts";
import { hintsFor } from "../../../../local/hints/hints.ts";
import type { HintParts } from "../../../../local/hints/request-seen.ts";

const brand = { ...contractBrand, headerPrefix: "X-Acme-", basePath: "/api" };
const router = createRouter(
  endpoints.map(({ contract: { method, route, name } }) => ({
    routeKey: `${method} ${route}`,
    functionName: name,
    integrationTimeoutMs: 1_000,
  })),
);

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly status?: number;
  readonly body?: object;
  readonly answered?: Record<string, string>;
}

function exchangeOf(sentTarget: string, asked: Asked = {}): Exchange {
  const { method = "GET", headers = {}, status = 200, body = {}, answered = {} } = asked;
  const target = readTarget(sentTarget, brand.basePath);
  const match = typeof target === "string" ? undefined : router(method, target.path);
  return {
    requestId: "ATfSmjLgPHcESJw=",
    receivedAtMs: 0,
    durationMs: 1,
    method,
    sentTarget,
    target,
    headers: { host: "127.0.0.1:3000", ...headers },
    response: { statusCode: status, headers: answered, body: Buffer.from(JSON.stringify(body)) },
    ...(match !== undefined && { match }),
  };
}

const hints = (sentTarget: string, asked?: Asked, parts: Partial<HintParts> = {}) =>
  hintsFor(exchangeOf(sentTarget, asked), { brand, isDefaultData: true, isOwnHost: hostRule([]), ...parts });

const token = { authorization: "Bearer a.b.c" };
const refusal = { code: "invalid_credentials", error_id: "e", message: "m", timestamp: 1_795_554_000_000 };
const refused = { status: statusOf.invalid_credentials, body: refusal };

describe("an ignored query parameter is named", () => {
  test.each([
    ["/transaction/1?idtype=request_id", 'The query parameter "idtype" was ignored; did you mean "id_type"?'],
    ["/transaction/1?page=2", 'The query parameter "page" was ignored; this endpoint takes id_type.'],
    ["/sell-orders/1?expand=fees", 'The query parameter "expand" was ignored; this endpoint takes none.'],
  ])("%s", (target, hint) => expect(hints(`/api${target}`, { headers: token })).toEqual([hint]));

  test.each([
    "/transaction/1",
    "/transaction/1?id_type=request_id",
    "/transactions?status=x",
    "/unknown?a=b",
  ])("but nothing is said of %s, which the endpoint reads, refuses itself or does not exist", (target) =>
    expect(hints(`/api${target}`, { headers: token })).toEqual([]),
  );
});

describe("a header that looks misspelt is named", () => {
  test.each([
    ["/sell-orders/1", "x-api-keys", "X-API-KEY"],
    ["/sell-orders/1", "x-acme-api-key2", "X-Acme-API-Key"],
    ["/sell-orders/1", "api-key", "X-API-KEY"],
    ["/sell-orders/1", "x-other-apikey", "X-API-KEY"],
    ["/1.0/trades/all/BTC-USD", "x-acme-timestap", "X-Acme-Timestamp"],
    ["/1.0/trades/all/BTC-USD", "x-svc-timestamp", "X-Acme-Timestamp"],
    ["/1.0/trades/all/BTC-USD", "x-api-key", "X-Acme-API-Key"],
    ["/passes/a", "if-non-match", "If-None-Match"],
    ["/transactions", "authorisation", "Authorization"],
  ])("%s with %s", (target, name, meant) =>
    expect(hints(`/api${target}`, { headers: { [name]: "1" } })).toEqual([
      `The header "${name}" was ignored; did you mean ${meant}?`,
    ]),
  );

  const ordinary = [
    "accept accept-charset accept-encoding accept-language access-control-request-headers",
    "access-control-request-method baggage cache-control connection content-length content-type cookie dnt expect",
    "forwarded from if-match if-modified-since if-range if-unmodified-since keep-alive max-forwards origin pragma",
    "priority proxy-authorization range referer te traceparent tracestate trailer transfer-encoding upgrade",
    "upgrade-insecure-requests user-agent via x-amzn-trace-id x-b3-traceid x-forwarded-for x-forwarded-host",
    "x-forwarded-proto x-real-ip x-requested-with sec-fetch-dest sec-fetch-mode sec-ch-ua",
  ].flatMap((names) => names.split(" "));
  test.each(endpoints.map(({ contract }) => contract.route))(
    "but no header that clients, browsers and proxies send anyway, at %s",
    (route) => {
      const headers = Object.fromEntries(ordinary.map((name) => [name, "1"]));
      expect(hints(`/api${route.replace(/\{\w+\}/, "a")}`, { headers })).toEqual([]);
    },
  );
});

describe("a refused credential comes with a way on", () => {
  const signed = { "x-acme-api-key": "k", "x-acme-timestamp": "1", "x-acme-signature": "s" };

  test("of a signed request: the command that explains it, without the credential", () => {
    expect(hints("/api/1.0/trades/all/BTC-USD?limit=5", { ...refused, headers: signed })).toEqual([
      "To learn what was wrong with the signature, run: npm run --silent ops -- sign GET " +
        "'http://127.0.0.1:3000/api/1.0/trades/all/BTC-USD?limit=5' --explain " +
        "-H 'X-Acme-API-Key: ...' -H 'X-Acme-Timestamp: ...' -H 'X-Acme-Signature: ...' --judged-at 1795554000000",
    ]);
  });

  test.each([
    "/api/1.0/trades/all/BTC-USD?token=secret",
    "/api/1.0/trades/all/it's",
    `/api/1.0/trades/all/${"a".repeat(200)}`,
    `/api/1.0/trades/all/${"a".repeat(43)}`,
  ])("of a signed request whose address is not plain, the address is left out: %s", (target) =>
    expect(hints(target, { ...refused, headers: signed })[0]).toContain(" sign GET URL --explain "),
  );

  test.each([
    ["/transactions", token, "npm run --silent ops -- demo curl"],
    ["/passes/a", { "jws-signature": "a..b" }, "npm run --silent ops -- demo curl"],
    ["/sell-orders/1", { "x-api-key": "k" }, "npm run --silent ops -- keys list"],
    ["/transactions", {}, "The request lacks the header Authorization."],
    ["/sell-orders/1", {}, "The request lacks the header X-API-KEY."],
    ["/1.0/trades/all/A", { "x-acme-timestamp": "1" }, "lacks the headers X-Acme-API-Key, X-Acme-Signature."],
  ])("%s with %o", (target, headers, text) => {
    const [hint, ...more] = hints(`/api${target}`, { ...refused, headers });
    expect(hint).toContain(text);
    expect(more).toEqual([]);
  });

  test("in the data directory of this start, if it is not the one that commands find by themselves", () => {
    const asked = { ...refused, headers: { "x-api-key": "k" } };
    expect(hints("/api/sell-orders/1", asked, { isDefaultData: false })).toEqual([
      "To see the keys that are in force, run, with the --data of npm start: npm run --silent ops -- keys list",
    ]);
  });

  test.each([
    ["/transactions", token],
    ["/sell-orders/1", { "x-api-key": "k" }],
    ["/1.0/trades/all/A", signed],
  ])("by no command, where none reaches the service: %s", (target, headers) => {
    const parts = { isDefaultData: false, credentialsIn: "`credentials` of it" };
    expect(hints(`/api${target}`, { ...refused, headers }, parts)).toEqual([
      "The credentials that are valid here are in `credentials` of it.",
    ]);
  });

  test("and any other answer without", () => {
    const body = { ...refusal, code: "not_found" };
    expect(hints("/api/sell-orders/1", { status: statusOf.not_found, body })).toEqual([]);
    expect(hints("/api/sell-orders/1", { status: statusOf.invalid_credentials, body: {} })).toEqual([]);
  });
});

test("a deprecated lookup is named, with its end and its successor", () => {
  const answered = {
    deprecation: "@1782864000",
    sunset: "Thu, 01 Jul 2027 00:00:00 GMT",
    link: '</api/transactions>; rel="successor-version"',
  };
  expect(hints("/api/transaction/1?id_type=request_id", { headers: token, answered })).toEqual([
    "The use of id_type is deprecated since 2026-07-01 and ends 2027-07-01; use /api/transactions instead.",
  ]);
});

describe("a 404 of the gateway itself says why", () => {
  const routes = endpoints.map(({ contract }) => `/api${contract.route}`).join(", ");
  test.each([
    ["/transactions", "GET", "The API is served under /api only."],
    ["/api/transactions/", "GET", "No route ends with a slash; leave the last one out."],
    ["/api/Transactions", "GET", "Paths are case-sensitive: the route is /api/transactions."],
    ["/api/Sell-Orders/aB1", "GET", "Paths are case-sensitive: the route is /api/sell-orders/{order_id}."],
    ["/api/transaction", "GET", "The id is missing: the route is /api/transaction/{id}."],
    ["/api/transaction/", "GET", "The id is missing: the route is /api/transaction/{id}."],
    ["/api/1.0/trades/all", "GET", "The symbol is missing: the route is /api/1.0/trades/all/{symbol}."],
    ["/api/1x0/trades/all", "GET", `No route has this path. Routes: ${routes}.`],
    ["/api/transactionsx", "GET", `No route has this path. Routes: ${routes}.`],
    ["/api/nope/", "GET", `No route has this path. Routes: ${routes}.`],
    ["/api/transactions", "HEAD", "Endpoints answer GET only, as on AWS."],
  ])("%s by %s", (target, method, hint) =>
    expect(hints(target, { method, status: statusOf.not_found })).toEqual([hint]),
  );
});

test("an error is known, whatever its message is", () => {
  const hintsOn = (message: unknown) =>
    hints("/api/sell-orders/1", {
      headers: { "x-api-key": "k" },
      status: 401,
      body: { ...refusal, message },
    });
  expect(hintsOn({ toString: null })).toEqual(hintsOn("m"));
});

test("whatever is sent, a hint is one bounded line of ASCII, there are at most five, and none repeats a credential", () => {
  const secret = `s3cr3t${"s3cr3t".repeat(6)}x`;
  const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constant(secret));
  const parts = { name: text, value: text, header: fc.stringMatching(/^[a-z-]{1,40}$/) };
  fc.assert(
    fc.property(
      fc.array(fc.record(parts)),
      fc.boolean(),
      fc.constantFrom(...endpoints),
      (given, isLoose, { contract }) => {
        const query = given
          .map(
            ({ name, value }) =>
              `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
          )
          .join("&");
        const headers = Object.fromEntries([
          ...given.map(({ header, value }) => [header, value]),
          ...["x-api-key", "authorization", "x-acme-api-key", "x-acme-timestamp", "x-acme-signature"].map(
            (name) => [name, secret],
          ),
          [secret, secret],
        ]);
        const target = `/api${contract.route.replace(/\{\w+\}/, given.length > 2 ? secret : "a")}?${isLoose ? `${secret}=1&${query}` : ""}`;
        const given5 = hints(target, { ...refused, headers });
        expect(given5.length).toBeLessThanOrEqual(5);
        for (const hint of given5) {
          expect(hint).toMatch(/^[\x20-\x7e]{1,700}$/);
          expect(hint).not.toContain(secret);
        }
      },
    ),
  );
});
