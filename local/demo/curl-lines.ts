import { join } from "node:path";
import type { DemoFile, ExchangeSection, PassesSection } from "./demo-file.ts";

/** A line that a POSIX shell runs as it is, and the endpoint that answers it. */
export interface CurlLine {
  readonly endpoint: string;
  /** Which of several credentials it shows. */
  readonly credential?: string;
  readonly line: string;
}

const projectRoot = join(import.meta.dirname, "../..");

/** One word for a POSIX shell, whatever is in it: within single quotes only the single quote itself means something. */
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const header = (text: string): string => `-H ${quote(text)}`;

/** `options` are words for the shell already. */
const curl = (url: string, ...options: string[]): string => ["curl -sS", ...options, quote(url)].join(" ");

const path = encodeURIComponent;

/** A signature is good for half a minute, so the line makes one when it is run, from whatever directory. */
function signedCurl(url: string, { headerPrefix, apiKey, privateKeyFile }: ExchangeSection): string {
  const key = `--api-key ${quote(apiKey)} --private-key ${quote(privateKeyFile)}`;
  const npm = `HEADER_PREFIX=${quote(headerPrefix)} npm --prefix ${quote(projectRoot)} run --silent ops`;
  return `curl -sS $(${npm} -- sign GET ${quote(url)} ${key} --curl-options) ${quote(url)}`;
}

/** One working line for each endpoint, and for each credential of the pass callback, with the demo's own in it. */
export function curlLines({ baseUrl, business, ramp, exchange, passes }: DemoFile): readonly CurlLine[] {
  const bearer = header(`Authorization: Bearer ${business.token}`);
  return [
    {
      endpoint: "get-transaction",
      line: curl(`${baseUrl}/transaction/${path(business.transactionId)}`, bearer),
    },
    { endpoint: "list-transactions", line: curl(`${baseUrl}/transactions?state=completed&count=5`, bearer) },
    {
      endpoint: "get-sell-order",
      line: curl(`${baseUrl}/sell-orders/${path(ramp.orderId)}`, header(`X-API-KEY: ${ramp.apiKey}`)),
    },
    {
      endpoint: "list-trades",
      line: signedCurl(`${baseUrl}/1.0/trades/all/${path(exchange.symbol)}?limit=5`, exchange),
    },
    ...passLines(baseUrl, passes),
  ];
}

function passLines(baseUrl: string, passes: PassesSection): readonly CurlLine[] {
  const { mtls, versionHeader, version, token, partnerReference } = passes;
  // A colon stands as it is: what is signed is the path that the gateway has decoded.
  const route = `/passes/${path(partnerReference).replaceAll("%3A", ":")}`;
  const contractVersion = header(`${versionHeader}: ${version}`);
  const url = `${baseUrl}${route}`;
  const bearer = header(`Authorization: Bearer ${token}`);
  const certificate = [
    `--cacert ${quote(mtls.ca)}`,
    `--cert ${quote(mtls.cert)}`,
    `--key ${quote(mtls.key)}`,
  ];
  const line = (credential: string, text: string): CurlLine => ({
    endpoint: "get-pass",
    credential,
    line: text,
  });
  return [
    line("access token", curl(url, contractVersion, bearer)),
    line("detached JWS", curl(url, contractVersion, signature(new URL(url).pathname, passes))),
    line("mutual TLS", curl(`${mtls.url}${route}`, ...certificate, contractVersion)),
  ];
}

/** A signature is good for five minutes, so the line makes a new one each time it is run. */
function signature(pathname: string, { jws }: PassesSection): string {
  const command = `npm --prefix ${quote(projectRoot)} run --silent ops -- sign-pass`;
  const value = `$(${command} ${quote(pathname)} --jws-key ${quote(jws.privateKeyFile)})`;
  return `-H "Jws-Signature: ${value}"`;
}
