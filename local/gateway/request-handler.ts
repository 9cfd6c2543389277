import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Clock } from "../../lib/clock.ts";
import { wholeBody } from "../http/server.ts";
import { within } from "../process/within.ts";
import type { FunctionPool } from "../runtime/function-pool.ts";
import type { RouteDefinition, ServedApi } from "../template/template.ts";
import { clientCertOf } from "./client-cert.ts";
import { isPreflight, preflightHeaders, responseCorsHeaders, withoutCorsHeaders } from "./cors.ts";
import { buildEvent, type GatewayRequest, joinHeaders } from "./event.ts";
import { type Companion, type Exchange, withHeaders } from "./exchange.ts";
import { type HostRule, namedHost } from "./host-rule.ts";
import { type Page, pageResponse } from "./page.ts";
import { type RequestTarget, readTarget } from "./request-target.ts";
import { type GatewayResponse, ownResponse, readFunctionResponse } from "./response.ts";
import { createRouter, type RouteMatch, type Router } from "./route.ts";
import type { Turnstile } from "./turnstile.ts";

/** Request line and header values together (quotas of HTTP APIs). */
const HEADER_BYTES_MAX = 10_240;
/** 10 MB (quotas of HTTP APIs). */
const BODY_BYTES_MAX = 10_485_760;
/** The event of a synchronous invocation: 6 MB of JSON, in which a Base64 body is a third longer (quotas of Lambda). */
const EVENT_BYTES_MAX = 6_291_456;

/** As much of a function's pool as the gateway needs. */
export type Invocable = Pick<FunctionPool, "invoke">;

export interface HandlerOptions {
  readonly application: ServedApi;
  /** The pool of every function that a route leads to, by the function's name. */
  readonly pools: ReadonlyMap<string, Invocable>;
  /** Texts to serve beside the routes, by path. */
  readonly pages?: ReadonlyMap<string, Page>;
  /** Where clients see the API, such as `/api`; empty at the root. */
  readonly basePath: string;
  /** The hosts that requests may name; absent for a gateway that answers under any. */
  readonly isOwnHost?: HostRule;
  readonly clock: Clock;
  /** The interference that a request of a route meets; undefined for none. */
  readonly interfere?: (route: RouteDefinition) => Interference | undefined;
  /** What every request to a function passes; absent where nothing ever holds requests back. */
  readonly turnstile?: Turnstile;
  /** Receives the causes of failed requests, which callers do not see. */
  readonly log: (functionName: string, line: string) => void;
  /** Adds headers to the answers; absent for a gateway that answers only as AWS does. */
  readonly companion?: Companion;
}

/** Runs the function of a request in an environment of its own pool, or of the given one, with its own event or the given one. */
export type Invoke = (pool?: Invocable, event?: APIGatewayProxyEventV2) => Promise<GatewayResponse>;

/** Answers a request in another way than by running its function alone. */
export type Interference = (invoke: Invoke, event: APIGatewayProxyEventV2) => Promise<GatewayResponse>;

/** Answers one request as an HTTP API would, from a function or by itself. Never rejects. */
export type RequestHandler = (request: IncomingMessage) => Promise<GatewayResponse>;

/** Throws a `TemplateError` for a route that the local gateway cannot serve. */
export function createRequestHandler(options: HandlerOptions): RequestHandler {
  const router = createRouter(options.application.routes);
  const handle: RequestHandler = async (message) => {
    const requestId = newGatewayRequestId();
    const receivedAtMs = options.clock();
    const read = readRequest(options, router, message);
    const response = withRequestId(await respond(options, message, read, requestId), requestId);
    return accompany(options, read, { requestId, receivedAtMs, response });
  };
  return (message) => handle(message).catch((error: unknown) => withRequestId(failed(options, error)));
}

/** The answer to a request that the gateway itself fails on. */
function failed({ log }: HandlerOptions, error: unknown): GatewayResponse {
  log("gateway", error instanceof Error ? (error.stack ?? error.message) : String(error));
  return ownResponse(500);
}

/** A request's line, headers and certificate, read once for its answer and for the companion. */
interface ReadRequest
  extends Pick<Exchange, "method" | "sentTarget" | "target" | "headers" | "clientCert" | "match"> {
  /** The host that it names; undefined for a malformed request. */
  readonly host: string | undefined;
}

function readRequest({ basePath }: HandlerOptions, router: Router, message: IncomingMessage): ReadRequest {
  const [method, sentTarget] = [message.method as string, message.url as string];
  const target = readTarget(sentTarget, basePath);
  const match = typeof target === "string" ? undefined : router(method, target.path);
  const clientCert = clientCertOf(message.socket);
  const host = namedHost(message);
  return {
    host,
    method,
    sentTarget,
    target,
    headers: { ...joinHeaders(message.rawHeaders), ...(host !== undefined && host !== "" && { host }) },
    ...(match !== undefined && { match }),
    ...(clientCert !== undefined && { clientCert }),
  };
}

/** The answer with the headers of the companion, if there is one. An error of the companion withholds no answer. */
function accompany(
  options: HandlerOptions,
  read: ReadRequest,
  answered: Pick<Exchange, "requestId" | "receivedAtMs" | "response">,
): GatewayResponse {
  const { companion, clock } = options;
  const { response, receivedAtMs } = answered;
  if (companion === undefined) return response;
  try {
    return withHeaders(response, companion({ ...read, ...answered, durationMs: clock() - receivedAtMs }));
  } catch (error) {
    failed(options, error);
    return response;
  }
}

/** An answer with the id of its request, or with a new id for a request that has none. */
export const withRequestId = (response: GatewayResponse, id = newGatewayRequestId()): GatewayResponse => ({
  ...response,
  headers: { ...response.headers, "apigw-requestid": id },
});

async function respond(
  options: HandlerOptions,
  message: IncomingMessage,
  read: ReadRequest,
  requestId: string,
): Promise<GatewayResponse> {
  if (headerBytes(message) > HEADER_BYTES_MAX) return ownResponse(431);
  const { host, method, headers } = read;
  if (host === undefined) return ownResponse(400);
  if (options.isOwnHost?.(host) === false) return ownResponse(403, `the Host ${host} is not this machine's`);
  const { cors } = options.application;
  if (cors !== undefined && isPreflight(method, headers)) {
    return { statusCode: 204, headers: preflightHeaders(cors, headers.origin), body: undefined };
  }
  const response = await answer(options, message, read, requestId).catch((error: unknown) =>
    failed(options, error),
  );
  if (cors === undefined) return response;
  const kept = withoutCorsHeaders(response.headers);
  return { ...response, headers: { ...kept, ...responseCorsHeaders(cors, headers.origin) } };
}

async function answer(
  options: HandlerOptions,
  message: IncomingMessage,
  read: ReadRequest,
  requestId: string,
): Promise<GatewayResponse> {
  const { target, match } = read;
  if (target === "unreadable") return ownResponse(400);
  if (target === "outside") return ownResponse(404);
  if (match === undefined) return answerPage(options, message, target);
  const body = await readBody(message);
  if (body === "too large") return ownResponse(413);
  // The client is gone and reads no answer, but an incomplete request must not reach the function.
  if (body === "broken off") return ownResponse(400);
  const request = gatewayRequest(message, { ...read, target }, body, requestId, options.clock);
  const event = buildEvent(request, match);
  const invokeIn: Invoke = (pool, asked = event) => invoke(options, match, JSON.stringify(asked), pool);
  const work = () => options.interfere?.(match.route)?.(invokeIn, event) ?? invokeIn();
  const response = await (options.turnstile?.pass(work) ?? work());
  if (response.problem !== undefined)
    options.log(match.route.functionName, `${requestId} ${response.problem}`);
  return response;
}

function answerPage(
  { pages }: HandlerOptions,
  { method }: IncomingMessage,
  { path }: RequestTarget,
): GatewayResponse {
  const page = method === "GET" ? pages?.get(path) : undefined;
  return page === undefined ? ownResponse(404) : pageResponse(page);
}

/**
 * Runs the function of a route. A function error, its own timeout included, is a 500; an integration timeout and a
 * throttled function are a 503. HTTP APIs are reported to answer so.
 */
async function invoke(
  { pools }: HandlerOptions,
  { route }: RouteMatch,
  event: string,
  pool = pools.get(route.functionName) as Invocable,
): Promise<GatewayResponse> {
  if (Buffer.byteLength(event) > EVENT_BYTES_MAX) return ownResponse(413, "the event is larger than 6 MB");
  // Lambda gives each invocation an id other than the gateway's.
  const outcome = await within(route.integrationTimeoutMs, pool.invoke(event, randomUUID()));
  if (outcome === undefined) return ownResponse(503, `no answer within ${route.integrationTimeoutMs} ms`);
  if (outcome === "throttled")
    return ownResponse(503, "throttled: too many requests wait, or the reserved concurrency is 0");
  const response =
    outcome.kind === "failure" ? ownResponse(500, outcome.message) : readFunctionResponse(outcome.payload);
  return { ...response, ...(outcome.stint !== undefined && { stint: outcome.stint }) };
}

function gatewayRequest(
  message: IncomingMessage,
  { method, target, headers, clientCert }: ReadRequest & { readonly target: RequestTarget },
  body: Buffer,
  requestId: string,
  clock: Clock,
): GatewayRequest {
  const { remoteAddress = "", localPort = 0 } = message.socket;
  return {
    method,
    target,
    headers,
    rawHeaders: message.rawHeaders,
    body,
    sourceIp: remoteAddress.replace(/^::ffff:/, ""),
    port: localPort,
    protocol: `HTTP/${message.httpVersion}`,
    scheme: "encrypted" in message.socket ? "https" : "http",
    ...(clientCert !== undefined && { clientCert }),
    requestId,
    traceId: randomBytes(12).toString("hex"),
    receivedAtMs: clock(),
  };
}

function headerBytes({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  const requestLine = `${method} ${url} HTTP/${httpVersion}`.length;
  return rawHeaders.reduce((sum, text, index) => sum + (index % 2 === 1 ? text.length : 0), requestLine);
}

const NO_BODY = Buffer.alloc(0);

/** Whether a body follows the headers of a request (RFC 9112, section 6.3). */
const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;

/** The whole body of a request. A body that is too large is read to its end and dropped. */
async function readBody(message: IncomingMessage): Promise<Buffer | "too large" | "broken off"> {
  if (!announcesBody(message)) return NO_BODY;
  try {
    const body = await wholeBody(message, BODY_BYTES_MAX);
    return message.complete ? (body ?? "too large") : "broken off";
  } catch {
    return "broken off";
  }
}

/** Bytes whose Base64 is 15 characters and one `=`. */
const ID_BYTES = 11;

/**
 * A new request id in the form that HTTP APIs use, such as `ATfSmjLgPHcESJw=`: padded Base64url. The event, the log
 * lines of function and gateway, and the header `apigw-requestid` all have the same id. None begins with a hyphen, so
 * that each can be given to a command, which would take it for an option.
 */
export function newGatewayRequestId(): string {
  const id = `${randomBytes(ID_BYTES).toString("base64url")}=`;
  return id.startsWith("-") ? newGatewayRequestId() : id;
}
