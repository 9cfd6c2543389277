import { createPrivateKey, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { rampKeyId } from "../../lib/auth/credential.ts";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import type { ErrorCode } from "../../lib/errors.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { statusOf } from "../../lib/http/error-response.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import type { ContractLimit } from "../../lib/rate-limit/settings.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import type { EndpointReference, Tag } from "../../local/endpoints/endpoint-reference.ts";
import { endpointReferences } from "../../local/endpoints/endpoints.ts";
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
  /** Made when it is sent: a signature is good for half a minute. */
  readonly headers: () => Readonly<Record<string, string>>;
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

/** Who asks an interface: whose limit is charged, and the headers of a request that has an answer, or gets a code. */
interface Caller {
  readonly owner: string;
  readonly headers: (target: string, code?: ErrorCode) => Readonly<Record<string, string>>;
}

async function callersOf(service: TestService, apiKey: string): Promise<Readonly<Record<Tag, Caller>>> {
  const { exchange, passes } = service.demo;
  const privateKey = createPrivateKey(await readFile(exchange.privateKeyFile, "utf8"));
  const [token, noScope] = await Promise.all(
    ["transactions.read", "accounts.read"].map((scope) => service.mint(BUSINESS, scope)),
  );
  const version = passContractVersions.at(-1) ?? "";
  const bearer = (code: ErrorCode | undefined, good: string | undefined, poor: string | undefined) =>
    code === "invalid_credentials"
      ? undefined
      : { Authorization: `Bearer ${code === "insufficient_scope" ? poor : good}` };
  return {
    "Business accounts": {
      owner: BUSINESS,
      headers: (_, code) => ({ ...bearer(code, token, noScope) }),
    },
    "Wallet passes": {
      owner: passes.walletId,
      headers: (_, code) => ({
        ...bearer(code, passes.token, passes.noScopeToken),
        [passes.versionHeader]: code === "unsupported_version" ? "2020-01-01" : version,
      }),
    },
    Ramp: {
      owner: PARTNER,
      headers: (_, code) => ({ ...(code !== "invalid_credentials" && { "X-API-KEY": apiKey }) }),
    },
    Exchange: {
      owner: exchange.owner,
      headers: (target, code) => {
        if (code === "invalid_credentials") return {};
        const now = systemClock() + (code === "timestamp_in_future" ? 60_000 : 0);
        const key = code === "insufficient_scope" ? exchange.noScopeApiKey : exchange.apiKey;
        const request = { method: "GET", url: `${service.baseUrl}${target}`, now };
        return signRequest(request, { apiKey: key, privateKey }, exchange.headerPrefix);
      },
    },
  };
}

/** Makes requests with the credentials of a service. */
export async function exampleRequests(service: TestService, apiKey: string) {
  const callers = await callersOf(service, apiKey);
  const requestOf = (reference: EndpointReference, name: string, target: string): ExampleRequest => ({
    endpoint: reference.contract.name,
    name,
    target,
    headers: () => callers[reference.tag].headers(target),
  });
  /** One good request for each endpoint, whose answer depends on how the service is. */
  const good = (name: string): readonly ExampleRequest[] =>
    endpointReferences.map((reference) => requestOf(reference, name, firstOf(reference)));
  /** Every request that is good, and those that ask for what has changed. */
  const answered = async (): Promise<readonly ExampleRequest[]> => {
    const requests = endpointReferences.map(async (reference) => {
      const named = Object.entries(reference.examples.good).map(([name, target]) =>
        requestOf(reference, name, target),
      );
      const [first] = named;
      if (reference.notModified === undefined || first === undefined) return named;
      const tag = (await service.get(first.target, first.headers())).headers.get("etag") ?? "";
      const headers = () => ({ ...first.headers(), "If-None-Match": tag });
      return [...named, { ...first, name: "Unchanged", headers }];
    });
    return (await Promise.all(requests)).flat();
  };
  /** A request for each refusal; those that use a limit up come last. */
  const refused = (): readonly ExampleRequest[] =>
    endpointReferences
      .flatMap((reference) =>
        reference.codes.map((code) => {
          const { contract, tag, examples } = reference;
          const target = examples.refused[code] ?? firstOf(reference);
          const { limit, retryAfterUnit: unit } = contract;
          const { owner } = callers[tag];
          return {
            ...requestOf(reference, code, target),
            headers: () => callers[tag].headers(target, code),
            ...(code === "rate_limited" && { broke: { limit, owner, unit } }),
            status: statusOf[code],
          };
        }),
      )
      .filter(({ status }) => status < 500)
      .toSorted((one, other) => one.status - other.status);
  return { good, answered, refused };
}

const firstOf = ({ examples }: EndpointReference): string => Object.values(examples.good)[0] ?? "";
