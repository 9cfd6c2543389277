import { createServer } from "node:http";
import type { Context } from "aws-lambda";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { rampKeyId } from "../../lib/auth/credential.ts";
import { contractBrand } from "../../lib/brand.ts";
import type { EndpointHandler } from "../../lib/http/endpoint.ts";
import type { HttpResponse } from "../../lib/http/respond.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { SwitchRegister } from "../../ops/switches/switch-register.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";
import { AUDIENCE, ISSUER, tokenIssuer } from "../support/tokens.ts";

const issuer = await tokenIssuer();
const API_KEY = "K".repeat(43);
const ORDER_ID = "f6868ab3-dba4-4812-a98b-3bf818fcacfa";
const TRANSACTION = `{"id":"tx-1","type":"fee","request_id":"request-1","state":"pending","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","legs":[{"leg_id":"leg-1","amount":-0.10,"currency":"GBP","account_id":"account-1"}]}`;
const ORDER = `{"id":"${ORDER_ID}","fiat":{"amount":1.50,"currency":"EUR"},"crypto":{"amount":0.1,"currencyId":"ETH"},"fees":{"ramp_fee":{"amount":0,"currency":"EUR"}},"exchange_rate":15,"payment":"service","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","status":"PROCESSING","fees_partner_currency":{}}`;

const bucket = (name: string): string =>
  JSON.stringify([{ name, burst: 1_000, refillTokens: 1_000, refillWindowMs: 1_000 }]);

/** Handlers, called as Lambda calls them: no gateway between a payload-2.0 event and the answer. */
describe.each(testedStores)("handlers on %s", (kind) => {
  let engine: Engine;
  let bearer: { authorization: string };
  const handlers = new Map<string, EndpointHandler>();
  const keys = createServer((_request, response) => response.end(JSON.stringify({ keys: [issuer.jwk] })));

  beforeAll(async () => {
    engine = await startEngine(kind);
    const port = await listenOnLoopback(keys);
    const environment = {
      AWS_REGION: "local",
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
      STAGE_NAME: "test",
      CREDENTIALS_TABLE: engine.tableName("Credentials"),
      SETTINGS_TABLE: engine.tableName("Settings"),
      TRANSACTIONS_TABLE: engine.tableName("Transactions"),
      SELL_ORDERS_TABLE: engine.tableName("SellOrders"),
      RATE_LIMITS_TABLE: engine.tableName("RateLimits"),
      RATE_LIMIT_BUSINESS: bucket("business"),
      RATE_LIMIT_RAMP: bucket("ramp"),
      TOKEN_ISSUER: ISSUER,
      TOKEN_AUDIENCE: AUDIENCE,
      TOKEN_TYPE: "at+jwt",
      TOKEN_JWKS_URL: `http://127.0.0.1:${port}/`,
      ID_TYPE_DEPRECATED_AT: "2026-07-01T00:00:00Z",
      ID_TYPE_SUNSET_AT: "2027-07-01T00:00:00Z",
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    vi.resetModules();
    for (const name of ["get-transaction", "list-transactions", "get-sell-order"]) {
      handlers.set(
        name,
        ((await import(`../../functions/${name}.ts`)) as { handler: EndpointHandler }).handler,
      );
    }
    const nowS = Math.floor(Date.now() / 1000);
    bearer = { authorization: `Bearer ${await issuer.mint({ iat: nowS, exp: nowS + 600 })}` };
    await putTransaction(
      new TransactionRegister(engine.table("Transactions")),
      contractBrand,
      "business-1",
      TRANSACTION,
    );
    await putSellOrder(new SellOrderRegister(engine.table("SellOrders")), contractBrand, "partner-1", ORDER);
    const register = new CredentialRegister(engine.table("Credentials"));
    await register.add({
      id: rampKeyId(API_KEY),
      kind: "ramp-key",
      owner: "partner-1",
      scopes: [],
      createdAt: 0,
    });
    engine.settle();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    keys.closeAllConnections();
    keys.close();
    await engine.close();
  });

  const call = (name: string, event: unknown): Promise<HttpResponse> =>
    (handlers.get(name) as EndpointHandler)(event, {} as Context);
  const event = (headers: object, pathParameters?: object, rawQueryString = "") => ({
    version: "2.0",
    rawQueryString,
    headers,
    ...(pathParameters !== undefined && { pathParameters }),
    requestContext: { stage: "$default", requestId: "gateway-1", http: { method: "GET" } },
  });

  test("answer a payload-2.0 event with the stored text", async () => {
    expect(await call("get-transaction", event(bearer, { id: "tx-1" }))).toMatchObject({
      statusCode: 200,
      body: TRANSACTION,
    });
    expect(
      await call("get-transaction", event(bearer, { id: "request-1" }, "id_type=request_id")),
    ).toMatchObject({ statusCode: 200, body: TRANSACTION });
    expect(await call("list-transactions", event(bearer))).toMatchObject({
      statusCode: 200,
      body: `[${TRANSACTION}]`,
    });
    expect(
      await call("get-sell-order", event({ "x-api-key": API_KEY }, { order_id: ORDER_ID })),
    ).toMatchObject({ statusCode: 200, body: ORDER });
  });

  test.each(["get-transaction", "list-transactions", "get-sell-order"])(
    "%s: an event with nulls or without maps is a 401, never a fault",
    async (name) => {
      const withNulls = { version: "2.0", headers: null, pathParameters: null, requestContext: null };
      for (const given of [withNulls, { version: "2.0", rawQueryString: "" }, {}]) {
        expect((await call(name, given)).statusCode).toBe(401);
      }
    },
  );

  test.each([
    {},
    { id: "" },
    { id: "." },
    { id: ".." },
    { id: "\u0000" },
    { id: "é".repeat(1025) },
    undefined,
  ])("a transaction's path parameters %j are a 404, never a fault", async (pathParameters) => {
    expect((await call("get-transaction", event(bearer, pathParameters))).statusCode).toBe(404);
  });

  test("a switch that the operator throws closes its endpoint, and only that", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    try {
      const register = new SwitchRegister(engine.table("Settings"));
      await register.put("get-sell-order", { on: false, reason: "maintenance" });
      vi.setSystemTime(Date.now() + 5_000);
      expect(await call("get-sell-order", event({}))).toMatchObject({
        statusCode: 503,
        headers: { "Retry-After": "30" },
      });
      expect((await call("get-transaction", event(bearer, { id: "tx-1" }))).statusCode).toBe(200);
      await register.put("get-sell-order", { on: true });
      vi.setSystemTime(Date.now() + 5_000);
      expect((await call("get-sell-order", event({}))).statusCode).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });
});
