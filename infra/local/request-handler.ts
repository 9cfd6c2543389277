import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Clock } from "../../lib/clock.ts";
import { isPreflight, preflightHeaders, responseCorsHeaders } from "./cors.ts";
import { buildEvent, type GatewayRequest, joinHeaders } from "./event.ts";
import type { FunctionPool } from "./function-pool.ts";
import { type RequestTarget, readTarget } from "./request-target.ts";
import { type GatewayResponse, ownResponse, readFunctionResponse } from "./response.ts";
import { createRouter, type RouteMatch, type Router } from "./route.ts";
import type { Application } from "./template.ts";
import { clientCertOf } from "./tls/client-cert.ts";

/** Request line and header values together (quotas of HTTP APIs). */
const HEADER_BYTES_MAX = 10_240;
/** What a synchronous invocation takes (quotas of Lambda). */
const BODY_BYTES_MAX = 6_291_556;

export interface HandlerOptions {
  readonly application: Application;
  /** The pool of every function that a route leads to, by the function's name. */
  readonly pools: ReadonlyMap<string, FunctionPool>;
  /** Where clients see the API, such as `/api`; empty at the root. */
  readonly basePath: string;
  readonly clock: Clock;
  /** Receives what went wrong in a function, which the caller is not told. */
  readonly log: (functionName: string, line: string) => void;
}

/** Answers one request as the API would: from its function, or with the gateway's own words. It never rejects. */
export type RequestHandler = (request: IncomingMessage) => Promise<GatewayResponse>;

/** Throws a `TemplateError` when a route is of a kind that is not served. */
export function createRequestHandler(options: HandlerOptions): RequestHandler {
  const { cors, routes } = options.application;
  const router = createRouter(routes);
  const respond = (request: IncomingMessage): Promise<GatewayResponse> =>
    answer(options, router, request).catch((error: Error) => {
      options.log("gateway", error.stack ?? error.message);
      return ownResponse(500);
    });
  return async (request) => {
    const headers = joinHeaders(request.rawHeaders);
    if (headerBytes(request) > HEADER_BYTES_MAX) return ownResponse(431);
    if (cors === undefined) return respond(request);
    if (isPreflight(request.method as string, headers)) {
      return { statusCode: 204, headers: preflightHeaders(cors, headers.origin), body: undefined };
    }
    const response = await respond(request);
    return { ...response, headers: { ...response.headers, ...responseCorsHeaders(cors, headers.origin) } };
  };
}

async function answer(
  options: HandlerOptions,
  router: Router,
  message: IncomingMessage,
): Promise<GatewayResponse> {
  const target = readTarget(message.url as string, options.basePath);
  const match = target && router(message.method as string, target.path);
  if (target === undefined || match === undefined) return ownResponse(404);
  const body = await readBody(message).catch(() => Buffer.alloc(0));
  if (body === undefined) return ownResponse(413);
  const request = readRequest(message, target, body, options.clock);
  const response = await invoke(
    options,
    match,
    JSON.stringify(buildEvent(request, match)),
    request.requestId,
  );
  if (response.problem !== undefined)
    options.log(match.route.functionName, `${request.requestId} ${response.problem}`);
  return response;
}

/**
 * Runs the function of a route. A function error is a 500, and its own timeout is one; a 503 is for what the gateway
 * would not wait for any longer, and for a throttled function. So HTTP APIs were seen to answer.
 */
async function invoke(
  { pools }: HandlerOptions,
  { route }: RouteMatch,
  event: string,
  requestId: string,
): Promise<GatewayResponse> {
  const pool = pools.get(route.functionName) as FunctionPool;
  const outcome = await within(route.integrationTimeoutMs, pool.invoke(event, requestId));
  if (outcome === undefined) return ownResponse(503, `no answer within ${route.integrationTimeoutMs} ms`);
  if (outcome === "throttled") return ownResponse(503, "throttled: too many requests wait");
  if (outcome.kind === "failure") return ownResponse(500, outcome.message);
  return readFunctionResponse(outcome.payload);
}

async function within<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

function readRequest(
  message: IncomingMessage,
  target: RequestTarget,
  body: Buffer,
  clock: Clock,
): GatewayRequest {
  const { remoteAddress = "", localPort = 0 } = message.socket;
  const clientCert = clientCertOf(message.socket);
  return {
    method: message.method as string,
    target,
    rawHeaders: message.rawHeaders,
    body,
    sourceIp: remoteAddress.replace(/^::ffff:/, ""),
    port: localPort,
    protocol: `HTTP/${message.httpVersion}`,
    scheme: "encrypted" in message.socket ? "https" : "http",
    ...(clientCert && { clientCert }),
    requestId: randomUUID(),
    receivedAtMs: clock(),
  };
}

function headerBytes({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  const requestLine = `${method} ${url} HTTP/${httpVersion}`.length;
  return rawHeaders.reduce((sum, text, index) => sum + (index % 2 === 1 ? text.length : 0), requestLine);
}

/** The body, or undefined when it is too large; the rest of it is then read and dropped. */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return size > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks, size);
}
