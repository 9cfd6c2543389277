import middy, { type MiddlewareObj } from "@middy/core";
import httpErrorHandler from "@middy/http-error-handler";
import type { Context } from "aws-lambda";
import { type Clock, markerOf } from "../clock.ts";
import { ANSWER_MS, runOutOfTime, runUntil } from "../deadline.ts";
import type { RequestLogEntry } from "../log.ts";
import { type Authenticate, type Principal, requireScope } from "../principal.ts";
import type { EndpointContract } from "./contract.ts";
import { describeInvocation, failInvocation, type Invocation, openInvocation } from "./invocation.ts";
import { requireOn, type Switches } from "./kill-switch.ts";
import { chargeOwner, type Limiter, tellLimit } from "./limit.ts";
import { readParameters } from "./parameters.ts";
import type { MakePlan } from "./plan.ts";
import type { HttpRequest } from "./request.ts";
import { type HttpResponse, respond } from "./respond.ts";

/** The parts of an endpoint, in the order in which a request meets them. */
export interface EndpointParts<Contract extends EndpointContract> {
  readonly contract: Contract;
  readonly switches: Switches;
  readonly authenticate: Authenticate<HttpRequest>;
  readonly plan: MakePlan<Contract>;
  readonly limiter: Limiter;
  readonly clock: Clock;
  /** By which the time that an answer takes is measured; the machine's own unless given. */
  readonly steady?: Clock;
  readonly log: (entry: RequestLogEntry) => void;
}

/** The function that Lambda calls with an HTTP API event. */
export type EndpointHandler = (event: unknown, context: Context) => Promise<HttpResponse>;

/** `logRequest` replaces the event by an invocation, which all later layers and the handler receive. */
type Layer = MiddlewareObj<Invocation, HttpResponse>;

/**
 * Builds the handler of one endpoint. Every endpoint passes the same steps in this order: kill switch, credentials,
 * scope, parameters, plan, charge, answer. The first step that fails decides the answer, so a caller without valid
 * credentials learns nothing else. All steps run in middy's handler, because its deadline covers nothing else.
 */
export function endpoint<Contract extends EndpointContract>(parts: EndpointParts<Contract>): EndpointHandler {
  const chain = middy<Invocation, HttpResponse>({
    timeoutEarlyInMillis: ANSWER_MS,
    timeoutEarlyResponse: runOutOfTime,
  })
    // middy runs `after` and `onError` hooks in reverse order: the layer that is registered first finishes last.
    .use(httpErrorHandler({ logger: false }))
    .use(logRequest(parts))
    .use(echoRequestId)
    .use(stateLimit(parts))
    .use(answerFailure(parts))
    .handler((invocation, _context, { signal }) =>
      runUntil(signal, () => takeSteps(invocation, parts, signal)),
    );
  return chain as unknown as EndpointHandler;
}

/** The steps in their order. A step refuses a request by throwing a `Failure`; the plan says what the request costs. */
async function takeSteps<Contract extends EndpointContract>(
  invocation: Invocation,
  parts: EndpointParts<Contract>,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { contract, plan, limiter } = parts;
  const { request } = invocation;
  const { headers, rawQuery } = request;
  const principal = await inTime(signal, admitCaller(invocation, parts));
  const parameters = readParameters(contract, request);
  const { cost, answer } = await inTime(signal, plan({ ...parameters, principal, headers, rawQuery }));
  await inTime(signal, chargeOwner(invocation, limiter, { principal, cost }));
  return respond(await answer(), contract.cacheControl, headers["accept-encoding"]);
}

/** Waits for a step. After the deadline it throws, so that no further step runs. */
async function inTime<Result>(signal: AbortSignal, step: Promise<Result>): Promise<Result> {
  const result = await step;
  signal.throwIfAborted();
  return result;
}

function logRequest({ contract, clock, steady, log }: EndpointParts<EndpointContract>): Layer {
  const mark = markerOf(clock, steady);
  let coldStart = true;
  const write: Layer["after"] = ({ event, response }) => {
    try {
      log(describeInvocation(event, response?.statusCode ?? 0, contract, mark()));
    } catch {
      // A log line that cannot be written must not withhold an answer that was found.
    }
  };
  return {
    before: (request) => {
      request.event = openInvocation(request.event, request.context, mark(), coldStart);
      coldStart = false;
    },
    after: write,
    onError: write,
  };
}

const setRequestId: Layer["after"] = ({ event, response }) => {
  if (response) response.headers["Request-Id"] = event.requestId;
};
const echoRequestId: Layer = { after: setRequestId, onError: setRequestId };

function stateLimit({ limiter }: EndpointParts<EndpointContract>): Layer {
  const state: Layer["after"] = ({ event, response }) => tellLimit(event, response, limiter);
  return { after: state, onError: state };
}

function answerFailure({ contract, clock }: EndpointParts<EndpointContract>): Layer {
  return {
    onError: (request) => {
      request.response = failInvocation(request.event, request.error, contract, clock);
    },
  };
}

/** Reads the switch and the credential at the same time, but judges the switch first. */
async function admitCaller<Contract extends EndpointContract>(
  invocation: Invocation,
  { contract, switches, authenticate }: EndpointParts<Contract>,
): Promise<Principal> {
  const [position, principal] = await Promise.allSettled([
    switches.get(contract.name),
    authenticate(invocation.request),
  ]);
  if (position.status === "fulfilled") requireOn(position.value);
  if (principal.status === "rejected") throw principal.reason;
  if (position.status === "rejected") throw position.reason;
  invocation.principal = principal.value;
  requireScope(principal.value, contract.scope);
  return principal.value;
}
