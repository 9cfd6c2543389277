import { createPrivateKey } from "node:crypto";
import type { Clock } from "../../../lib/clock.ts";
import { signRequest } from "../../../local/signing/sign-request.ts";
import type { Credentials } from "../../../publish/embed/types.ts";
import { END_HEADER, type EndOfThread, type Work } from "./faulty-application.ts";
import type { LineLog } from "./line-log.ts";
import type { EndpointName } from "./outcomes.ts";

const DAY_MS = 86_400_000;

/** An answer, and the lines that the function wrote about its request. */
export interface FaultyAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** What the function has done for it; absent where the function ended in the middle. */
  readonly work: Work | undefined;
}

/** What a request has beside that of its endpoint. */
export interface More {
  /** In place of the demo's token, on an endpoint that takes tokens. */
  readonly token?: string | undefined;
  readonly endsBy?: EndOfThread | undefined;
}

/** What is needed to ask. */
export interface Caller {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly log: LineLog;
  /** When the stack was started: the window of trades stays where it was. */
  readonly startedMs: number;
}

/** Sends a request, and waits for the line that its function writes, if the function answered. */
export async function ask(
  caller: Caller,
  endpoint: EndpointName,
  { token, endsBy }: More = {},
): Promise<FaultyAnswer> {
  const [path, headers] = requests[endpoint](caller, token);
  const { log, baseUrl } = caller;
  const before = log.lines.length;
  const worksBefore = log.works.length;
  const response = await fetch(`${baseUrl}${path}`, {
    headers: { ...headers, ...(endsBy !== undefined && { [END_HEADER]: endsBy }) },
  });
  const body = await response.text();
  if (response.headers.has("request-id")) await log.of(response.headers.get("apigw-requestid") ?? "");
  const lines = log.since(before).filter((line) => line.endpoint === endpoint);
  const done = log.works.slice(worksBefore).find(({ name }) => name.endsWith(`-${endpoint}`));
  return { status: response.status, headers: response.headers, body, lines, work: done?.work };
}

type Request = readonly [path: string, headers: Readonly<Record<string, string>>];

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The request to each endpoint, with the credentials of the demo. */
const requests: Readonly<Record<EndpointName, (caller: Caller, token?: string) => Request>> = {
  "get-transaction": ({ credentials: { business } }, token = business.token) => [
    `/transaction/${business.transactionId}`,
    bearer(token),
  ],
  "list-transactions": ({ credentials: { business } }, token = business.token) => [
    "/transactions?count=2",
    bearer(token),
  ],
  "get-sell-order": ({ credentials: { ramp } }) => [
    `/sell-orders/${ramp.orderId}`,
    { "x-api-key": ramp.apiKey },
  ],
  "get-pass": ({ credentials: { passes } }, token = passes.token) => [
    `/passes/${passes.partnerReference}`,
    { [passes.versionHeader]: passes.version, ...bearer(token) },
  ],
  "list-trades": ({ credentials: { exchange }, baseUrl, startedMs, clock }) => {
    const window = `start_date=${startedMs - DAY_MS}&end_date=${startedMs}`;
    const path = `/1.0/trades/all/${exchange.symbol}?limit=2&${window}`;
    const key = { apiKey: exchange.apiKey, privateKey: createPrivateKey(exchange.privateKey) };
    const request = { method: "GET", url: `${baseUrl}${path}`, now: clock() };
    return [path, signRequest(request, key, exchange.headerPrefix)];
  },
};
