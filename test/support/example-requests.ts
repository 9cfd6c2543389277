import { createPrivateKey, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { rampKeyId } from "../../lib/auth/credential.ts";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { getPass, passContractVersions } from "../../lib/passes/contract.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import type { ContractLimit } from "../../lib/rate-limit/settings.ts";
import { getSellOrder } from "../../lib/sell-orders/contract.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { listTrades } from "../../lib/trades/contract.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { getTransaction } from "../../lib/transactions/contract.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { voidPass } from "../../local/records/void-pass.ts";
import { signRequest } from "../../local/signing/sign-request.ts";
import type { TestService } from "./service.ts";
import { trade } from "./trades.ts";

const BUSINESS = "business-1";
const PARTNER = "partner-1";
const ORDER_ID = "4f9c2f0e-6f0a-4b9e-9a51-0b7d5a0c1e2f";
const SYMBOL = "ETH-GBP";
/** 2026-11-24T21:00:00Z. */
const NEWEST_MS = 1_795_554_000_000;
const DAY_MS = 86_400_000;

/** Transactions of one account, whose balance each of them changes by its amount without its fee. */
const transactions = [
  {
    type: "transfer",
    money: '"amount":-1200.50,"fee":0.20',
    description: "Rent",
    balance: "98765432109876.54",
  },
  { type: "fee", money: '"amount":-12.00', description: "Monthly fee", balance: "98765432109864.54" },
  { type: "topup", money: '"amount":500.00', description: "Top-up", balance: "98765432110364.54" },
].map(
  ({ type, money, description, balance }, at) =>
    `{"id":"tx-000${at + 1}","type":"${type}","request_id":"req-000${at + 1}","state":"completed","created_at":"2026-11-2${at + 1}T09:30:00.123456Z","updated_at":"2026-11-2${at + 1}T09:30:01Z","completed_at":"2026-11-2${at + 1}T09:30:01Z","reference":"Invoice ${at + 1}","legs":[{"leg_id":"leg-1",${money},"currency":"EUR","account_id":"acct-main","counterparty":{"account_id":"acct-${at + 1}","account_type":"external"},"description":"${description}","balance":${balance}}]}`,
);

const order = `{"id":"${ORDER_ID}","fiat":{"amount":1500.63,"currency":"EUR"},"crypto":{"amount":0.612345678901234567,"currencyId":"ETH"},"fees":{"ramp_fee":{"amount":12.00,"currency":"EUR"},"partner_fee":{"amount":3.75,"currency":"EUR"}},"exchange_rate":2476.35,"payment":"service","created_at":"2026-11-24T20:55:00Z","updated_at":"2026-11-24T21:00:00Z","status":"PROCESSING","transaction_hash":"0x9a1f","fees_partner_currency":{"ramp_fee":{"amount":10.08,"currency":"GBP"},"partner_fee":{"amount":3.15,"currency":"GBP"}}}`;

const pass = `{"partner_reference":"lounge-7","type":"loyalty_pass","version":3,"semantics":{"points":1250.50},"relevant_at":"2026-12-01T18:00:00+01:00"}`;

/** Stores the records that the examples show. @returns the API key of the partner that the order belongs to. */
export async function storeExampleRecords(service: TestService): Promise<string> {
  const booked = new TransactionRegister(service.table("Transactions"));
  for (const text of transactions) await putTransaction(booked, contractBrand, BUSINESS, text);
  const orders = new SellOrderRegister(service.table("SellOrders"));
  await putSellOrder(orders, contractBrand, PARTNER, order);
  const passes = new PassRegister(service.table("Passes"));
  await putPass(passes, pass);
  await putPass(passes, pass.replace("lounge-7", "lounge-6"));
  await voidPass(passes, "lounge-6", systemClock);
  await new MarketRegister(service.table("Settings")).add(marketOf(SYMBOL));
  const trades = [1, 2, 3].map((n) => trade(n, NEWEST_MS - n * 1_500));
  await putTrades(new TradeRegister(service.table("Trades")), SYMBOL, trades);
  const apiKey = randomBytes(32).toString("base64url");
  const register = new CredentialRegister(service.table("Credentials"));
  await register.add({
    id: rampKeyId(apiKey),
    kind: "ramp-key",
    owner: PARTNER,
    scopes: [],
    createdAt: 0,
  });
  service.settle();
  return apiKey;
}

/** A request whose answer the reference shows. */
export interface ExampleRequest {
  readonly endpoint: string;
  readonly name: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** It is sent again until it is answered with this status. */
  readonly until?: number;
  /** Whose limit is used up before it is sent. */
  readonly broke?: {
    readonly limit: ContractLimit;
    readonly owner: string;
    /** The unit of `Retry-After`. */
    readonly unit: EndpointContract["retryAfterUnit"];
  };
}

const brokeOf = ({ limit, retryAfterUnit: unit }: EndpointContract, owner: string) => ({
  limit,
  owner,
  unit,
});

const RECENT = `start_date=${NEWEST_MS - DAY_MS}&end_date=${NEWEST_MS}`;
const MONTH = `start_date=${NEWEST_MS - 30 * DAY_MS}&end_date=${NEWEST_MS}`;
const TRADES = `/1.0/trades/all/${SYMBOL}`;

/** Makes requests with the credentials of a service. */
export async function exampleRequests(service: TestService, apiKey: string) {
  const { exchange, passes } = service.demo;
  const privateKey = createPrivateKey(await readFile(exchange.privateKeyFile, "utf8"));
  const token = async (scope: string) => ({
    Authorization: `Bearer ${await service.mint(BUSINESS, scope)}`,
  });
  const versioned = { [passes.versionHeader]: passContractVersions.at(-1) ?? "" };
  const wallet = { Authorization: `Bearer ${passes.token}`, ...versioned };
  const signed = (target: string, { aheadMs = 0, key = exchange.apiKey } = {}) =>
    signRequest(
      { method: "GET", url: `${service.baseUrl}${target}`, now: systemClock() + aheadMs },
      { apiKey: key, privateKey },
      exchange.headerPrefix,
    );
  /** A request of the exchange, signed when it is sent: a signature is good for half a minute. */
  const trades = (
    name: string,
    target: string,
    changes: Parameters<typeof signed>[1] = {},
    others: Partial<ExampleRequest> = {},
  ): ExampleRequest => ({
    endpoint: "list-trades",
    name,
    target,
    get headers() {
      return signed(target, changes);
    },
    ...others,
  });
  const business = await token("transactions.read");
  const partner = { "X-API-KEY": apiKey };
  /** One good request for each endpoint, whose answer depends on how the service is. */
  const good = (name: string): readonly ExampleRequest[] => [
    { endpoint: "get-transaction", name, target: "/transaction/tx-0001", headers: business },
    { endpoint: "list-transactions", name, target: "/transactions?to=2026-11-28&count=2", headers: business },
    { endpoint: "get-sell-order", name, target: `/sell-orders/${ORDER_ID}`, headers: partner },
    { endpoint: "get-pass", name, target: "/passes/lounge-7", headers: wallet },
    trades(name, `${TRADES}?${RECENT}`),
  ];
  /** More answers that are good. */
  const further = async (): Promise<readonly ExampleRequest[]> => {
    const current = await service.get("/passes/lounge-7", wallet);
    const tag = current.headers.get("etag") ?? "";
    return [
      {
        endpoint: "get-transaction",
        name: "By request ID (deprecated)",
        target: "/transaction/req-0002?id_type=request_id",
        headers: business,
      },
      {
        endpoint: "list-transactions",
        name: "By request ID",
        target: "/transactions?request_id=req-0001&from=2026-11-20&to=2026-11-28",
        headers: business,
      },
      {
        endpoint: "get-pass",
        name: "Unchanged",
        target: "/passes/lounge-7",
        headers: { ...wallet, "If-None-Match": tag },
      },
      trades("A page with more to come", `${TRADES}?${RECENT}&limit=2`),
    ];
  };
  /** A request for each refusal. */
  const refused = async (): Promise<readonly ExampleRequest[]> => {
    const noScope = await token("accounts.read");
    const used = { Authorization: `Bearer ${await service.mint("business-2", "transactions.read")}` };
    return [
      {
        endpoint: "get-transaction",
        name: "validation_error",
        target: "/transaction/tx-0001?id_type=reference",
        headers: business,
      },
      {
        endpoint: "get-transaction",
        name: "invalid_credentials",
        target: "/transaction/tx-0001",
        headers: {},
      },
      {
        endpoint: "get-transaction",
        name: "insufficient_scope",
        target: "/transaction/tx-0001",
        headers: noScope,
      },
      { endpoint: "get-transaction", name: "not_found", target: "/transaction/tx-0009", headers: business },
      {
        endpoint: "get-transaction",
        name: "rate_limited",
        target: "/transaction/tx-0001",
        headers: used,
        broke: brokeOf(getTransaction, "business-2"),
      },
      {
        endpoint: "list-transactions",
        name: "validation_error",
        target: "/transactions?status=completed",
        headers: business,
      },
      {
        endpoint: "list-transactions",
        name: "invalid_cursor",
        target: "/transactions?cursor=AQ",
        headers: business,
      },
      { endpoint: "list-transactions", name: "invalid_credentials", target: "/transactions", headers: {} },
      {
        endpoint: "list-transactions",
        name: "insufficient_scope",
        target: "/transactions",
        headers: noScope,
      },
      {
        endpoint: "list-transactions",
        name: "rate_limited",
        target: "/transactions",
        headers: used,
        broke: brokeOf(getTransaction, "business-2"),
      },
      {
        endpoint: "get-sell-order",
        name: "validation_error",
        target: "/sell-orders/order-1",
        headers: partner,
      },
      {
        endpoint: "get-sell-order",
        name: "invalid_credentials",
        target: `/sell-orders/${ORDER_ID}`,
        headers: {},
      },
      {
        endpoint: "get-sell-order",
        name: "not_found",
        target: "/sell-orders/01ARZ3NDEKTSV4RRFFQ69G5FAV",
        headers: partner,
      },
      {
        endpoint: "get-sell-order",
        name: "rate_limited",
        target: `/sell-orders/${ORDER_ID}`,
        headers: partner,
        broke: brokeOf(getSellOrder, PARTNER),
      },
      {
        endpoint: "get-pass",
        name: "unsupported_version",
        target: "/passes/lounge-7",
        headers: { ...wallet, [passes.versionHeader]: "2020-01-01" },
      },
      { endpoint: "get-pass", name: "invalid_credentials", target: "/passes/lounge-7", headers: versioned },
      {
        endpoint: "get-pass",
        name: "insufficient_scope",
        target: "/passes/lounge-7",
        headers: { Authorization: `Bearer ${passes.noScopeToken}`, ...versioned },
      },
      { endpoint: "get-pass", name: "not_found", target: "/passes/lounge-9", headers: wallet },
      { endpoint: "get-pass", name: "gone", target: "/passes/lounge-6", headers: wallet },
      {
        endpoint: "get-pass",
        name: "rate_limited",
        target: "/passes/lounge-7",
        headers: wallet,
        broke: brokeOf(getPass, passes.walletId),
      },
      trades("validation_error", `${TRADES}?start_date=1795554000`),
      trades("invalid_cursor", `${TRADES}?cursor=AQ`),
      trades("unknown_symbol", `/1.0/trades/all/eth-gbp?${RECENT}`),
      trades("invalid_credentials", `${TRADES}?${RECENT}`, {}, { headers: {} }),
      trades("insufficient_scope", `${TRADES}?${RECENT}`, { key: exchange.noScopeApiKey }),
      trades("timestamp_in_future", `${TRADES}?${RECENT}`, { aheadMs: 60_000 }),
      trades("rate_limited", `${TRADES}?${MONTH}`, {}, { broke: brokeOf(listTrades, exchange.owner) }),
    ];
  };
  return { good, further, refused };
}
