import type { DemoFile, ExchangeSection } from "../../local/demo/demo-file.ts";
import { signRequest } from "../../local/signing/sign-request.ts";
import type { Owners } from "./owners.ts";
import { FIRST_TRANSACTIONS, firstOrderOf, transactionIdOf } from "./records.ts";

const DAY_MS = 86_400_000;
/** How many days back the demo's trades go. */
const TRADE_DAYS = 14;

/** A request that is ready to be sent. */
export interface ReadyRequest {
  readonly endpoint: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes the n-th request of a load. */
export type NextRequest = (n: number, now: number) => ReadyRequest;

/** The endpoints in the order in which they are asked, again and again. */
const TURNS = [
  "get-sell-order",
  "get-transaction",
  "get-pass",
  "list-transactions",
  "get-sell-order",
  "list-trades",
  "get-transaction",
  "get-pass",
] as const;

/** All endpoints of the load. */
export const mixedEndpoints: readonly string[] = [...new Set(TURNS)].sort();

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const turnOf = <Item>(items: readonly Item[], n: number): Item => {
  const item = items[n % items.length];
  if (item === undefined) throw new Error("There is nothing to take turns with.");
  return item;
};

/** A load over every endpoint of a running service, for which each owner sends its share in turn. */
export function mixedLoad({ baseUrl, passes, exchange }: DemoFile, owners: Owners): NextRequest {
  const references = Object.values(passes.references);
  const makers: Readonly<
    Record<(typeof TURNS)[number], (n: number, now: number) => Omit<ReadyRequest, "endpoint">>
  > = {
    "get-sell-order": (n) => {
      const { partner, apiKey } = turnOf(owners.ramp, n);
      return { url: `${baseUrl}/sell-orders/${firstOrderOf(partner)}`, headers: { "x-api-key": apiKey } };
    },
    "get-transaction": (n) => ({
      url: `${baseUrl}/transaction/${transactionIdOf(0, n % FIRST_TRANSACTIONS)}`,
      headers: bearer(turnOf(owners.businessTokens, n)),
    }),
    "list-transactions": (n) => ({
      url: `${baseUrl}/transactions?count=${FIRST_TRANSACTIONS}`,
      headers: bearer(turnOf(owners.businessTokens, n)),
    }),
    "get-pass": (n) => ({
      url: `${baseUrl}/passes/${encodeURIComponent(turnOf(references, n))}`,
      headers: { ...bearer(turnOf(owners.walletTokens, n)), [passes.versionHeader]: passes.version },
    }),
    "list-trades": (n, now) => tradesRequest(baseUrl, exchange, turnOf(owners.exchange, n), n, now),
  };
  return (n, now) => {
    const endpoint = turnOf(TURNS, n);
    return { endpoint, ...makers[endpoint](Math.floor(n / TURNS.length), now) };
  };
}

/** A page of a window of one day, which costs one token. */
function tradesRequest(
  baseUrl: string,
  { symbol, headerPrefix }: ExchangeSection,
  key: Owners["exchange"][number],
  n: number,
  now: number,
): Omit<ReadyRequest, "endpoint"> {
  const endMs = now - (n % TRADE_DAYS) * DAY_MS;
  const window = `limit=100&start_date=${endMs - DAY_MS}&end_date=${endMs}`;
  const url = `${baseUrl}/1.0/trades/all/${symbol}?${window}`;
  return { url, headers: signRequest({ method: "GET", url, now }, key, headerPrefix) };
}
