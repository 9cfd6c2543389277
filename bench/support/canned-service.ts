import { keptKeySetId } from "../../lib/auth/kept-key-set.ts";
import { contractBrand } from "../../lib/brand.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { bucketOf } from "../../lib/trades/segment.ts";
import { partitionOf } from "../../lib/trades/segment-key.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { sellOrderText, transactionText } from "../../test/support/documents.ts";
import { signedEvent, trader } from "../../test/support/signing.ts";
import { tokenIssuer } from "../../test/support/tokens.ts";
import { PEER_TABLES } from "../peers/peer-tables.ts";
import { type CannedAnswers, KEPT_PATH } from "./canned-store.ts";
import { ISSUER_PLACE } from "./issuer-place.ts";
import {
  LAST_TRADE_MS,
  market,
  pageOfTrades,
  SYMBOL,
  segmentAnswer,
  segmentTableOf,
  tradeItem,
} from "./trade-data.ts";
import type { WireItem } from "./units.ts";

const ISSUER = "https://identity.test";
const ORDER_ID = "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f";
const LISTED = 100;
const FEW_TRADES = 10;
/** The ten minutes up to the newest trade, which need no strongly consistent read. */
const TRADES_QUERY = `start_date=${LAST_TRADE_MS - 600_000}&end_date=${LAST_TRADE_MS}&limit=${FEW_TRADES}`;

export type EndpointName =
  | "get-pass"
  | "get-transaction"
  | "list-transactions"
  | "get-sell-order"
  | "list-trades";

/** The environment of the function that the event is for. It names the issuer and the audience of the tokens. */
export type Environment = Readonly<Record<string, string>>;

/**
 * A service's data as canned answers for our functions and their peers, and requests that all of them answer with 200.
 */
export interface CannedService extends CannedAnswers {
  /** An event of an endpoint, as the gateway would send it now: signatures and tokens are fresh. */
  event(endpoint: EndpointName, environment: Environment): Promise<object>;
}

export async function cannedService(): Promise<CannedService> {
  const issuer = await tokenIssuer();
  const bearer = async ({ TOKEN_ISSUER: iss, TOKEN_AUDIENCE: aud }: Environment) => {
    const iat = Math.floor(Date.now() / 1_000);
    const scope = "transactions.read passes.read";
    return { authorization: `Bearer ${await issuer.mint({ iss, aud, iat, exp: iat + 600, scope })}` };
  };
  const events: Record<EndpointName, (environment: Environment) => Promise<object>> = {
    "get-pass": async (environment) => {
      const version = { [contractBrand.versionHeader.toLowerCase()]: String(passContractVersions[0]) };
      const headers = { ...(await bearer(environment)), ...version };
      return getEvent("/passes/ref-1", headers, { partner_reference: "ref-1" });
    },
    "get-transaction": async (environment) =>
      getEvent("/transaction/tx-1", await bearer(environment), { id: "tx-1" }),
    "list-transactions": async (environment) =>
      getEvent("/transactions?to=2026-12-01T00:00:00Z", await bearer(environment)),
    "get-sell-order": async () =>
      getEvent(`/sell-orders/${ORDER_ID}`, { "x-api-key": "A".repeat(43) }, { order_id: ORDER_ID }),
    "list-trades": async () => signedEvent({ now: Date.now(), rawQuery: TRADES_QUERY }),
  };
  const keySet = JSON.stringify({ keys: [issuer.jwk] });
  return {
    answers: { ...(await ourAnswers()), ...keptAnswer(keySet), ...peerAnswers() },
    keySet,
    event: (endpoint, environment) => events[endpoint](environment),
  };
}

/** The event of a request, as the gateway would send it. */
export function getEvent(
  routePath: string,
  headers: Readonly<Record<string, string>>,
  pathParameters: Readonly<Record<string, string>> = {},
): object {
  const [rawPath, rawQueryString = ""] = routePath.split("?");
  const http = { method: "GET", path: rawPath };
  const query = Object.fromEntries(new URLSearchParams(rawQueryString));
  return {
    version: "2.0",
    rawPath,
    rawQueryString,
    queryStringParameters: query,
    headers,
    pathParameters,
    requestContext: { stage: "$default", requestId: "gateway-1", http },
  };
}

const tableOf = (name: string) => `countinghouse-test-${name}`;

async function ourAnswers(): Promise<Record<string, string>> {
  const table = await segmentTableOf(pageOfTrades());
  const page = await table.page({
    partition: partitionOf(SYMBOL, bucketOf(LAST_TRADE_MS)),
    from: Buffer.alloc(28),
    to: Buffer.alloc(28, 0xff),
    after: undefined,
    segmentsMax: 3,
    isConsistent: false,
  });
  const transaction = {
    doc: { S: await storedText(putTransaction, transactionText()) },
    created_key: { S: "001795554000000000#tx-1" },
  };
  return {
    [`GetItem ${tableOf("Credentials")}`]: itemAnswer(credential),
    [`GetItem ${tableOf("Credentials")} subject#${ISSUER}#business-1`]: ABSENT,
    [`GetItem ${tableOf("Settings")}`]: ABSENT,
    [`GetItem ${tableOf("Passes")}`]: itemAnswer({ doc: { S: PASS }, version: { N: "7" } }),
    [`GetItem ${tableOf("Settings")} markets`]: itemAnswer({ symbols: { SS: [SYMBOL] } }),
    [`GetItem ${tableOf("Settings")} market#${SYMBOL}`]: itemAnswer(marketItem),
    [`UpdateItem ${tableOf("RateLimits")}`]: JSON.stringify({
      Attributes: { t_second: { N: "1" }, t_minute: { N: "1" } },
    }),
    [`GetItem ${tableOf("Transactions")}`]: itemAnswer(transaction),
    [`Query ${tableOf("Transactions")}`]: itemsAnswer(Array.from({ length: LISTED }, () => transaction)),
    [`GetItem ${tableOf("SellOrders")}`]: itemAnswer({
      doc: { S: await storedText(putSellOrder, sellOrderText()) },
    }),
    [`Query ${tableOf("Trades")}`]: segmentAnswer(page),
  };
}

/** The key set as `report-expiry` keeps it, fetched now. */
function keptAnswer(keySet: string): Record<string, string> {
  const id = keptKeySetId(new URL(`${ISSUER_PLACE}${KEPT_PATH}`));
  const item = { id: { S: id }, key_set: { S: keySet }, fetched_at: { N: String(Date.now()) } };
  return { [`GetItem ${tableOf("Settings")} ${id}`]: itemAnswer(item) };
}

/** The answer for an absent item, with the ConsumedCapacity that proves the read. */
const ABSENT = JSON.stringify({ ConsumedCapacity: { TableName: "any", CapacityUnits: 1 } });
const PASS = '{"partner_reference":"ref-1","type":"loyalty_pass","version":7,"semantics":{"points":10.50}}';

const itemAnswer = (item: WireItem): string => JSON.stringify({ Item: item });
const itemsAnswer = (items: readonly WireItem[]): string =>
  JSON.stringify({
    Items: items,
    Count: items.length,
    ScannedCount: items.length,
    ConsumedCapacity: { CapacityUnits: 12.5, TableName: "any" },
  });

const credential: WireItem = {
  id: { S: "exchange-key#1" },
  kind: { S: "exchange-key" },
  owner: { S: "owner-1" },
  scopes: { S: "trades.read" },
  public_key: { S: trader.publicKeyHex },
  created_at: { N: "1795554000000" },
};

const marketItem: WireItem = Object.fromEntries(
  Object.entries({ ...market, id: `market#${SYMBOL}` }).map(([name, value]) => [name, { S: value }]),
);

/** The stored text of a record, as its writer makes it. */
async function storedText(put: typeof putTransaction | typeof putSellOrder, text: string): Promise<string> {
  let stored = "";
  const store = {
    put: async ({ doc }: { doc: string }) => {
      stored = doc;
      return { outcome: "written" as const };
    },
  };
  await put(store, contractBrand, "owner-1", text);
  return stored;
}

/** Answers from the peers' tables, whose items have an attribute for each member, as document clients write them. */
function peerAnswers(): Record<string, string> {
  const transaction = wireOf(JSON.parse(transactionText()));
  const trades = pageOfTrades().slice(-FEW_TRADES).map(tradeItem);
  return {
    [`GetItem ${PEER_TABLES.keys}`]: itemAnswer(credential),
    [`UpdateItem ${PEER_TABLES.limits}`]: JSON.stringify({ Attributes: { points: { N: "1" } } }),
    [`GetItem ${PEER_TABLES.transactions}`]: itemAnswer(transaction),
    [`Query ${PEER_TABLES.transactions}`]: itemsAnswer(Array.from({ length: LISTED }, () => transaction)),
    [`GetItem ${PEER_TABLES.passes}`]: itemAnswer(wireOf(JSON.parse(PASS))),
    [`GetItem ${PEER_TABLES.sellOrders}`]: itemAnswer(wireOf(JSON.parse(sellOrderText()))),
    [`Query ${PEER_TABLES.trades}`]: itemsAnswer(trades),
  };
}

function wireOf(record: Readonly<Record<string, unknown>>): WireItem {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, wireValueOf(value)]),
  ) as WireItem;
}

function wireValueOf(value: unknown): object {
  if (typeof value === "number") return { N: String(value) };
  if (Array.isArray(value)) return { L: value.map(wireValueOf) };
  if (typeof value === "object" && value !== null) return { M: wireOf(value as Record<string, unknown>) };
  return { S: String(value) };
}
