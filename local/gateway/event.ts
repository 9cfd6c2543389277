import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { LOCAL_ACCOUNT } from "../store/local-account.ts";
import type { ClientCert } from "./client-cert.ts";
import { type RequestTarget, readQuery } from "./request-target.ts";
import type { RouteMatch } from "./route.ts";

const API_ID = "local";

/** An HTTP request as the gateway received it. */
export interface GatewayRequest {
  readonly method: string;
  readonly target: RequestTarget;
  /** By lower-case name, as `joinHeaders` gives them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values alternate, as on the wire. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  /** Port that the client connected to. */
  readonly port: number;
  /** `HTTP/1.1`. */
  readonly protocol: string;
  readonly scheme: "http" | "https";
  /** The client's certificate; absent on a connection that did not ask for one. */
  readonly clientCert?: ClientCert;
  /** The gateway's id for the request, from `newGatewayRequestId`. */
  readonly requestId: string;
  /** 24 hexadecimal digits, new for each request: the random part of X-Ray's root trace id. */
  readonly traceId: string;
  readonly receivedAtMs: number;
}

/** Headers that concern one connection (RFC 9110, section 7.6.1), and cookies, which have a member of their own. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  "connection",
  "cookie",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** A body of any other type is sent to the function in Base64. */
const TEXT_CONTENT =
  /^(?:text\/|application\/(?:json|javascript|xml|x-www-form-urlencoded|[^;]*\+(?:json|xml)))/i;

/** Headers by lower-case name; the values of a repeated name are joined by commas, in order. */
export function joinHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const value = rawHeaders[index + 1] as string;
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(headers);
}

/** Builds the event that an HTTP API sends, in payload format 2.0. Members without a value are left out. */
export function buildEvent(
  request: GatewayRequest,
  { route, pathParameters }: RouteMatch,
): APIGatewayProxyEventV2 {
  const all = request.headers;
  const cookies = readCookies(request.rawHeaders);
  const queryStringParameters = readQuery(request.target.rawQuery);
  return {
    version: "2.0",
    routeKey: route.routeKey,
    rawPath: request.target.path,
    rawQueryString: request.target.rawQuery,
    ...(cookies.length > 0 && { cookies }),
    headers: forwardedHeaders(request, all),
    ...(queryStringParameters !== undefined && { queryStringParameters }),
    requestContext: requestContext(request, route.routeKey, all),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    ...bodyOf(request.body, all),
  };
}

/** The cookies of every `Cookie` header, in order. */
function readCookies(rawHeaders: readonly string[]): string[] {
  const isCookies = (_: string, index: number) =>
    rawHeaders[index - 1]?.toLowerCase() === "cookie" && index % 2 === 1;
  return rawHeaders
    .filter(isCookies)
    .flatMap((header) => header.split(/;\s*/))
    .filter((cookie) => cookie !== "");
}

function forwardedHeaders(
  request: GatewayRequest,
  all: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(all).filter(([name]) => !NOT_FORWARDED.has(name));
  const chain = all["x-forwarded-for"];
  const receivedAtS = Math.floor(request.receivedAtMs / 1000);
  return {
    "content-length": `${request.body.length}`,
    ...Object.fromEntries(kept),
    "x-amzn-trace-id": `Root=1-${receivedAtS.toString(16)}-${request.traceId}`,
    "x-forwarded-for": chain === undefined ? request.sourceIp : `${chain}, ${request.sourceIp}`,
    "x-forwarded-port": `${request.port}`,
    "x-forwarded-proto": request.scheme,
  };
}

function requestContext(
  request: GatewayRequest,
  routeKey: string,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyEventV2["requestContext"] {
  const domainName = (headers.host ?? "localhost").replace(/:\d+$/, "");
  return {
    accountId: LOCAL_ACCOUNT,
    apiId: API_ID,
    ...(request.clientCert !== undefined && { authentication: { clientCert: request.clientCert } }),
    domainName,
    domainPrefix: domainName.split(".")[0] as string,
    http: {
      method: request.method,
      path: request.target.path,
      protocol: request.protocol,
      sourceIp: request.sourceIp,
      userAgent: headers["user-agent"] ?? "",
    },
    requestId: request.requestId,
    routeKey,
    stage: "$default",
    time: commonLogTime(request.receivedAtMs),
    timeEpoch: request.receivedAtMs,
  };
}

/** `24/Nov/2026:21:00:00 +0000`. */
function commonLogTime(epochMs: number): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(
    new Date(epochMs).toUTCString(),
  ) as RegExpExecArray;
  return `${day}/${month}/${year}:${time} +0000`;
}

function bodyOf(
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): Pick<APIGatewayProxyEventV2, "body" | "isBase64Encoded"> {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText =
    !("content-encoding" in headers) && TEXT_CONTENT.test(headers["content-type"] ?? "text/plain");
  return { body: body.toString(isText ? "utf8" : "base64"), isBase64Encoded: !isText };
}
