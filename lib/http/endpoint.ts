import middy, { type MiddlewareObj } from "@middy/core";
import httpErrorHandler from "@middy/http-error-handler";
import type { Context } from "aws-lambda";
import { type Authenticate, requireScope } from "../auth/principal.ts";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import type { Log } from "../log.ts";
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

/** From its first step on, what passes the chain in place of the event is the invocation. */
type Step = MiddlewareObj<Invocation, HttpResponse>;

/**
 * Builds the handler of one endpoint. Every endpoint passes the same steps in this order: kill switch, credentials,
 * scope, parameters, rate limit, then the use case. The first that fails decides the answer, so a caller without valid
 * credentials learns nothing else. Steps throw and never return: a returned value would skip the steps after them.
 */
export function endpoint<Contract extends EndpointContract>(parts: EndpointParts<Contract>): EndpointHandler {
  const chain = middy<Invocation, HttpResponse>({ timeoutEarlyResponse: runOutOfTime })
    // Endings run in reverse: what stands first has the last word.
    .use(httpErrorHandler({ logger: false }))
    .use(logRequest(parts))
    .use(echoRequestId)
    .use(stateLimit(parts))
    .use(answerFailure(parts))
    .use(admitCaller(parts))
    .use(checkParameters(parts))
    .use(chargeLimit(parts))
    .handler((invocation: Invocation) => answerCall(parts, invocation));
  return chain as unknown as EndpointHandler;
}

function logRequest({ contract, clock, log }: EndpointParts<EndpointContract>): Step {
  let coldStart = true;
  const write: Step["after"] = ({ event, response }) => {
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

const setRequestId: Step["after"] = ({ event, response }) => {
  if (response) response.headers["Request-Id"] = event.requestId;
};
const echoRequestId: Step = { after: setRequestId, onError: setRequestId };

function stateLimit({ contract, limiter: given }: EndpointParts<EndpointContract>): Step {
  const limiter = limiterOf(contract, given);
  const state: Step["after"] = ({ event, response }) => tellLimit(event, response, limiter);
  return { after: state, onError: state };
}

function answerFailure({ contract, clock }: EndpointParts<EndpointContract>): Step {
  return {
    onError: (passing) => {
      passing.response = failInvocation(passing.event, passing.error, contract, clock);
    },
  };
}

/** The switch and the credential are read at the same time and judged in their order. */
function admitCaller({ contract, switches, authenticate }: EndpointParts<EndpointContract>): Step {
  return {
    before: async ({ event }) => {
      const [position, principal] = await Promise.allSettled([
        switches.read(contract.name),
        authenticate(event.request),
      ]);
      if (position.status === "fulfilled") requireOn(position.value);
      if (principal.status === "rejected") throw principal.reason;
      if (position.status === "rejected") throw position.reason;
      event.principal = principal.value;
      requireScope(principal.value, contract.scope);
    },
  };
}

function checkParameters<Contract extends EndpointContract>({
  contract,
  precheck,
}: EndpointParts<Contract>): Step {
  return {
    before: async ({ event }) => {
      event.parameters = readParameters(contract, event.request);
      await precheck?.(callOf(event));
    },
  };
}

function chargeLimit({ contract, limiter, clock }: EndpointParts<EndpointContract>): Step {
  return { before: ({ event }) => chargeOwner(event, contract, limiter, clock) };
}

async function answerCall<Contract extends EndpointContract>(
  { contract, answer }: EndpointParts<Contract>,
  invocation: Invocation,
): Promise<HttpResponse> {
  const answered = await answer(callOf(invocation));
  return respond(answered, contract.cacheControl, invocation.request.headers["accept-encoding"]);
}

function runOutOfTime(): never {
  throw new Failure("temporarily_unavailable", "The function ran out of time.", { retryAfterMs: 1_000 });
}
