import { generateKeyPairSync } from "node:crypto";
import { newApiKey, rampKeyId } from "../../lib/auth/credential.ts";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import { exchangeCredentialOf, newExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import { contractBrand } from "../../lib/brand.ts";
import { tablesOf } from "../../lib/dynamo/table.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { readRegistrableKey } from "../../lib/signature/public-key.ts";
import { type ExchangeSigningKey, signRequest } from "../../lib/signature/sign-request.ts";
import { LOCAL_STAGE } from "../../local/local-stage.ts";
import { createLocalClient, shareStore } from "../../local/store/engine.ts";
import { sellOrderText } from "../../test/support/documents.ts";

const DAY_MS = 86_400_000;
/** How many days back demo trades go. */
const DAYS = 14;
const ORDER_ID = "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f";
/** Keys of each caller of orders, so that none reaches the limit of twenty requests a second. */
const KEYS_OF_CALLER = 8;

/** Makes the n-th request of a caller. */
export type NextRequest = (
  n: number,
  now: number,
) => { readonly url: string; readonly headers: Record<string, string> };

export interface Callers {
  readonly orders: readonly NextRequest[];
  readonly trades: readonly NextRequest[];
}

/** The address of the service, and a market that it has trades of. */
export interface Target {
  readonly baseUrl: string;
  readonly symbol: string;
  readonly headerPrefix: string;
}

/** Registers `count` callers of each endpoint, each with keys of its own, in the store of a running service. */
export async function registerCallers(dataDir: string, target: Target, count: number): Promise<Callers> {
  const store = await shareStore(dataDir, { report: () => {} });
  const client = createLocalClient(store);
  const table = tablesOf(client, LOCAL_STAGE);
  const register = new CredentialRegister(table("Credentials"));
  const orders = new SellOrderRegister(table("SellOrders"));
  const names = Array.from({ length: count }, (_, at) => String(at));
  try {
    return {
      orders: await Promise.all(names.map((name) => orderCaller(register, orders, target, name))),
      trades: await Promise.all(names.map((name) => tradeCaller(register, target, name))),
    };
  } finally {
    client.destroy();
    await store.close();
  }
}

async function orderCaller(
  register: CredentialRegister,
  orders: SellOrderRegister,
  { baseUrl }: Target,
  name: string,
): Promise<NextRequest> {
  const keys = Array.from({ length: KEYS_OF_CALLER }, newApiKey);
  for (const [at, key] of keys.entries()) {
    const owner = `load-${name}-${at}`;
    await register.add({ id: rampKeyId(key), kind: "ramp-key", owner, scopes: [], createdAt: 0 });
    await putSellOrder(orders, contractBrand, owner, sellOrderText());
  }
  return (n) => ({
    url: `${baseUrl}/sell-orders/${ORDER_ID}`,
    headers: { "x-api-key": keys[n % keys.length] ?? "" },
  });
}

async function tradeCaller(
  register: CredentialRegister,
  { baseUrl, symbol, headerPrefix }: Target,
  name: string,
): Promise<NextRequest> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key: ExchangeSigningKey = { apiKey: newExchangeApiKey(), privateKey };
  const pem = String(publicKey.export({ type: "spki", format: "pem" }));
  const registered = { apiKey: key.apiKey, publicKey: readRegistrableKey(pem), owner: `load-${name}` };
  await register.add(exchangeCredentialOf({ ...registered, scopes: ["trades.read"], now: 0 }));
  return (n, now) => {
    // A window of one day costs one token.
    const endMs = now - (n % DAYS) * DAY_MS;
    const window = `limit=1000&start_date=${endMs - DAY_MS}&end_date=${endMs}`;
    const url = `${baseUrl}/1.0/trades/all/${symbol}?${window}`;
    return { url, headers: signRequest({ method: "GET", url, now }, key, headerPrefix) };
  };
}
