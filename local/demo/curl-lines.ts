import type { Word, WriteCurl } from "../terminal/shell.ts";
import type { DemoFile, ExchangeSection, PassesSection } from "./demo-file.ts";

/** A line that a shell runs as it is, and the endpoint that answers it. */
export interface CurlLine {
  readonly endpoint: string;
  /** Which of several credentials it shows. */
  readonly credential?: string;
  readonly line: string;
}

/** A request for curl, before it is written for a shell. */
interface CurlRequest extends Omit<CurlLine, "line"> {
  readonly url: string;
  readonly options: readonly Word[];
}

const header = (text: string): readonly Word[] => ["-H", text];

const path = encodeURIComponent;

/** A signature is good for half a minute, so the line makes one when it is run, from whatever directory. */
function signature(url: string, { headerPrefix, apiKey, privateKeyFile }: ExchangeSection): Word {
  const key = ["--api-key", apiKey, "--private-key", privateKeyFile, "--header-prefix", headerPrefix];
  return { split: ["sign", "GET", url, ...key, "--curl-options"] };
}

/** One working line for each endpoint, and for each credential of the pass callback, with the demo's own in it. */
export const curlLines = (demo: DemoFile, write: WriteCurl): readonly CurlLine[] =>
  requestsOf(demo).map(({ url, options, ...request }) => ({
    ...request,
    line: write(["-sS", ...options, url]),
  }));

function requestsOf({ baseUrl, business, ramp, exchange, passes }: DemoFile): readonly CurlRequest[] {
  const bearer = header(`Authorization: Bearer ${business.token}`);
  const tradesUrl = `${baseUrl}/1.0/trades/all/${path(exchange.symbol)}?limit=5`;
  return [
    {
      endpoint: "get-transaction",
      url: `${baseUrl}/transaction/${path(business.transactionId)}`,
      options: bearer,
    },
    {
      endpoint: "list-transactions",
      url: `${baseUrl}/transactions?state=completed&count=5`,
      options: bearer,
    },
    {
      endpoint: "get-sell-order",
      url: `${baseUrl}/sell-orders/${path(ramp.orderId)}`,
      options: header(`X-API-KEY: ${ramp.apiKey}`),
    },
    {
      endpoint: "list-trades",
      url: tradesUrl,
      // The signature is made when the line is run.
      options: [signature(tradesUrl, exchange)],
    },
    ...passRequests(baseUrl, passes),
  ];
}

function passRequests(baseUrl: string, passes: PassesSection): readonly CurlRequest[] {
  const { mtls, versionHeader, version, token, partnerReference } = passes;
  // A colon stands as it is: what is signed is the path that the gateway has decoded.
  const route = `/passes/${path(partnerReference).replaceAll("%3A", ":")}`;
  const contractVersion = header(`${versionHeader}: ${version}`);
  const url = `${baseUrl}${route}`;
  const certificate = ["--cacert", mtls.ca, "--cert", mtls.cert, "--key", mtls.key];
  const request = (credential: string, at: string, ...options: readonly Word[]): CurlRequest => ({
    endpoint: "get-pass",
    credential,
    url: at,
    options,
  });
  return [
    request("access token", url, ...contractVersion, ...header(`Authorization: Bearer ${token}`)),
    request("detached JWS", url, ...contractVersion, "-H", detachedJws(new URL(url).pathname, passes)),
    request("mutual TLS", `${mtls.url}${route}`, ...certificate, ...contractVersion),
  ];
}

/** A signature is good for five minutes, so the line makes a new one each time it is run. */
const detachedJws = (pathname: string, { jws }: PassesSection): Word => ({
  after: "Jws-Signature: ",
  output: ["sign-pass", pathname, "--jws-key", jws.privateKeyFile],
});
