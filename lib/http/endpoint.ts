import middy, { type MiddlewareObj } from "@middy/core";
import httpErrorHandler from "@middy/http-error-handler";
import type { Context } from "aws-lambda";
import type { Clock } from "../clock.ts";
import { ANSWER_MS, runOutOfTime, runUntil } from "../deadline.ts";
import type { Log } from "../log.ts";
import { type Authenticate, requireScope } from "../principal.ts";
import { type Call, callOf } from "./call.ts";
import type { EndpointContract } from "./contract.ts";
import { describeInvocation, failInvocation, type Invocation, openInvocation } from "./invocation.ts";
import { requireOn, type Switches } from "./kill-switch.ts";
import { chargeOwner, type Limiter, limiterOf, tellLimit } from "./limit.ts";
import { readParameters } from "./parameters.ts";
import type { HttpRequest } from "./request.ts";
import { type Answer, type HttpResponse, respond } from "./respond.ts";

export interface EndpointParts<Contract extends EndpointContract> {
  readonly contract: Contract;
  readonly switches: Switches;
  readonly authenticate: Authenticate<HttpRequest>;
  /** Checks of the parameters that need more than their schemas; they throw, and come before anything is charged. */
  readonly precheck?: (call: Call<Contract>) => Promise<void>;
  /** Present exactly when the contract names a limit. */
  readonly limiter?: Limiter;
  readonly answer: (call: Call<Contract>) => Promise<Answer>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The function that Lambda calls with an HTTP API event. */
export type EndpointHandler = (event: unknown, context: Context) => Promise<HttpResponse>;

/** From its first one on, what passes the chain in place of the event is the invocation. */
type Layer = MiddlewareObj<Invocation, HttpResponse>;

/**
 * Builds the handler of one endpoint. Every endpoint passes the same steps in this order: kill switch, credentials,
 * scope, parameters, rate limit, then the use case. The first that fails decides the answer, so a caller without valid
 * credentials learns nothing else. All of them are the handler's, because only that is guarded by the deadline.
 */
export function endpoint<Contract extends EndpointContract>(parts: EndpointParts<Contract>): EndpointHandler {
  const chain = middy<Invocation, HttpResponse>({
    timeoutEarlyInMillis: ANSWER_MS,
    timeoutEarlyResponse: runOutOfTime,
  })
    // Endings run in reverse: what stands first has the last word.
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

/** Each step throws what it refuses. One that ends after the deadline is followed by no other. */
async function takeSteps<Contract extends EndpointContract>(
  invocation: Invocation,
  parts: EndpointParts<Contract>,
  signal: AbortSignal,
): Promise<HttpResponse> {
  for (const step of [admitCaller, checkParameters, chargeOwner]) {
    await step<Contract>(invocation, parts);
    signal.throwIfAborted();
  }
  return answerCall(invocation, parts);
}

function logRequest({ contract, clock, log }: EndpointParts<EndpointContract>): Layer {
  let coldStart = true;
  const write: Layer["after"] = ({ event, response }) => {
    try {
      log(describeInvocation(event, response?.statusCode ?? 0, contract, clock));
    } catch {
      // A line that cannot be written is no reason to withhold an answer that was found.
    }
  };
  return {
    before: (passing) => {
      passing.event = openInvocation(passing.event, clock, coldStart);
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

function stateLimit({ contract, limiter: given }: EndpointParts<EndpointContract>): Layer {
  const limiter = limiterOf(contract, given);
  const state: Layer["after"] = ({ event, response }) => tellLimit(event, response, limiter);
  return { after: state, onError: state };
}

function answerFailure({ contract, clock }: EndpointParts<EndpointContract>): Layer {
  return {
    onError: (passing) => {
      passing.response = failInvocation(passing.event, passing.error, contract, clock);
    },
  };
}

/** The switch and the credential are read at the same time and judged in their order. */
async function admitCaller<Contract extends EndpointContract>(
  invocation: Invocation,
  { contract, switches, authenticate }: EndpointParts<Contract>,
): Promise<void> {
  const [position, principal] = await Promise.allSettled([
    switches.read(contract.name),
    authenticate(invocation.request),
  ]);
  if (position.status === "fulfilled") requireOn(position.value);
  if (principal.status === "rejected") throw principal.reason;
  if (position.status === "rejected") throw position.reason;
  invocation.principal = principal.value;
  requireScope(principal.value, contract.scope);
}

async function checkParameters<Contract extends EndpointContract>(
  invocation: Invocation,
  { contract, precheck }: EndpointParts<Contract>,
): Promise<void> {
  invocation.parameters = readParameters(contract, invocation.request);
  await precheck?.(callOf(invocation));
}

async function answerCall<Contract extends EndpointContract>(
  invocation: Invocation,
  { contract, answer }: EndpointParts<Contract>,
): Promise<HttpResponse> {
  const answered = await answer(callOf(invocation));
  return respond(answered, contract.cacheControl, invocation.request.headers["accept-encoding"]);
}
