import { join } from "node:path";
import type { DemoFile, ExchangeSection } from "./demo-file.ts";

/** A line that a POSIX shell runs as it is, and the endpoint that answers it. */
export interface CurlLine {
  readonly endpoint: string;
  readonly line: string;
}

/** One word for a POSIX shell, whatever is in it: within single quotes only the single quote itself means something. */
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const curl = (url: string, header: string): string => `curl -sS -H ${quote(header)} ${quote(url)}`;

const projectRoot = join(import.meta.dirname, "../../..");

/** A signature is good for half a minute, so the line makes one when it is run, from whatever directory. */
function signedCurl(url: string, { headerPrefix, apiKey, privateKeyFile }: ExchangeSection): string {
  const key = `--api-key ${quote(apiKey)} --private-key ${quote(privateKeyFile)}`;
  const npm = `HEADER_PREFIX=${quote(headerPrefix)} npm --prefix ${quote(projectRoot)} run --silent ops`;
  return `curl -sS $(${npm} -- sign GET ${quote(url)} ${key} --curl-options) ${quote(url)}`;
}

/** One working line for each endpoint, with the demo's own credentials in it. */
export function curlLines({ baseUrl, business, ramp, exchange }: DemoFile): readonly CurlLine[] {
  const bearer = `Authorization: Bearer ${business.token}`;
  const path = encodeURIComponent;
  return [
    {
      endpoint: "get-transaction",
      line: curl(`${baseUrl}/transaction/${path(business.transactionId)}`, bearer),
    },
    { endpoint: "list-transactions", line: curl(`${baseUrl}/transactions?state=completed&count=5`, bearer) },
    {
      endpoint: "get-sell-order",
      line: curl(`${baseUrl}/sell-orders/${path(ramp.orderId)}`, `X-API-KEY: ${ramp.apiKey}`),
    },
    {
      endpoint: "list-trades",
      line: signedCurl(`${baseUrl}/1.0/trades/all/${path(exchange.symbol)}?limit=5`, exchange),
    },
  ];
}
