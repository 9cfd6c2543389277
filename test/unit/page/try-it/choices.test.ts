import { expect, test } from "vitest";
import type { PageCredentials, SessionEndpoint } from "../../../../local/page/page-questions.ts";
import { credentialChoices, holderOf } from "../../../../page/src/try-it/credential-choices.ts";
import { demoValues, initialValues } from "../../../../page/src/try-it/demo-values.ts";

const privateJwk = { kty: "OKP", crv: "Ed25519", x: "x", d: "d" } as const;
const NOW = 1_795_554_000_000;

const credentials: PageCredentials = {
  business: {
    id: "b-1",
    audience: "business",
    token: "b-token",
    otherId: "b-2",
    otherToken: "b-other",
    noScopeToken: "b-none",
    transactionId: "t-1",
    requestId: "r-1",
    requestWindow: { from: "2026-01-01", to: "2026-01-04" },
    otherTransactionId: "t-2",
    accountId: "a-1",
    types: { fee: "t-fee" },
    states: { pending: "t-pending" },
  },
  ramp: {
    partnerId: "p-1",
    apiKey: "p-key",
    otherPartnerId: "p-2",
    otherApiKey: "p-other",
    orderId: "o-1",
    otherOrderId: "o-2",
    orders: { COMPLETED: "o-1" },
    orderShapes: { full: "o-1", withoutPartnerFee: "o-3", withoutPartnerRate: "o-4", bare: "o-5" },
  },
  passes: {
    walletId: "w-1",
    audience: "passes",
    token: "w-token",
    noScopeToken: "w-none",
    version: "2026-07-01",
    versionHeader: "Version",
    partnerReference: "pass-1",
    references: { boarding_pass: "pass-1" },
    voidReference: "pass-0",
    mtls: {
      url: "https://m.test",
      ca: "ca",
      cert: "cert",
      key: "key",
      otherCert: "cert-2",
      otherKey: "key-2",
    },
    jws: { kid: "kid-1", privateJwk },
  },
  exchange: {
    owner: "e-1",
    headerPrefix: "X-Svc-",
    apiKey: "e-key",
    noScopeApiKey: "e-none",
    symbol: "BTC-USD",
    symbols: ["BTC-USD", "ETH-USD"],
    privateJwk,
  },
};

const kinds = (name: string, scheme: SessionEndpoint["scheme"]) =>
  credentialChoices({ name, scheme }, credentials).map((choice) => [choice.name, choice.credential.kind]);

test("each interface offers every credential that the demo has for it, the good one first and none last", () => {
  expect(kinds("list-transactions", "Bearer")).toEqual([
    ["good", "bearer"],
    ["other", "bearer"],
    ["no-scope", "bearer"],
    ["none", "none"],
  ]);
  expect(kinds("get-sell-order", "ApiKey")).toEqual([
    ["good", "api-key"],
    ["other", "api-key"],
    ["none", "none"],
  ]);
  expect(kinds("list-trades", "Signature")).toEqual([
    ["good", "signature"],
    ["no-scope", "signature"],
    ["none", "none"],
  ]);
  expect(kinds("get-pass", "Bearer")).toEqual([
    ["good", "bearer"],
    ["jws", "jws"],
    ["certificate", "certificate"],
    ["other-certificate", "certificate"],
    ["no-scope", "bearer"],
    ["none", "none"],
  ]);
});

test("a token of the wallet is for passes alone", () => {
  expect(holderOf({ name: "get-pass" })).toBe("wallet");
  expect(holderOf({ name: "get-transaction" })).toBe("business");
});

const parameter = (
  name: string,
  place: "path" | "query" | "header",
  isRequired: boolean,
  choices?: string[],
) => ({
  name,
  in: place,
  isRequired,
  isRepeatable: false,
  isDeprecated: false,
  text: "",
  ...(choices !== undefined && { choices }),
});

test("a form begins with what the endpoint needs and a short page, and with nothing else", () => {
  const endpoint = {
    name: "list-trades",
    parameters: [
      parameter("symbol", "path", true),
      parameter("Version", "header", true, ["v2", "v3"]),
      parameter("start_date", "query", false),
      parameter("limit", "query", false),
      parameter("If-None-Match", "header", false),
    ],
  };
  expect(initialValues(endpoint, { credentials, nowMs: NOW })).toEqual({
    symbol: "BTC-USD",
    Version: "v2",
    start_date: "",
    limit: "5",
    "If-None-Match": "",
  });
});

test("the demo's values have a label each, and instants count from now", () => {
  expect(demoValues("list-trades", "start_date", credentials, NOW)[0]).toEqual({
    label: "1 day ago",
    value: String(NOW - 86_400_000),
  });
  expect(demoValues("get-pass", "partner_reference", credentials, NOW)).toEqual([
    { label: "boarding_pass", value: "pass-1" },
    { label: "a voided pass", value: "pass-0" },
  ]);
  expect(demoValues("get-pass", "If-None-Match", credentials, NOW)).toEqual([]);
  expect(demoValues("get-refund", "id", credentials, NOW)).toEqual([]);
});
