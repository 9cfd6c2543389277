import { randomUUID } from "node:crypto";
import type { Context } from "aws-lambda";
import type { Clock, Mark } from "../clock.ts";
import { currentTraceId } from "../env.ts";
import { Failure } from "../errors.ts";
import { describeFault, type LogLine, type RequestLogEntry, timestampOf } from "../log.ts";
import { type MetricSet, metricMembers } from "../metrics.ts";
import type { Principal } from "../principal.ts";
import type { EndpointContract } from "./contract.ts";
import { errorResponse } from "./error-response.ts";
import { type HttpRequest, readRequest } from "./request.ts";
import { requestIdOf } from "./request-id.ts";
import type { HttpResponse } from "./respond.ts";

/** One request, and what the chain has learned about it so far. */
export interface Invocation {
  readonly request: HttpRequest;
  readonly requestId: string;
  /** Lambda's id of the invocation; absent where a handler is called without Lambda's context. */
  readonly awsRequestId?: string;
  readonly traceId?: string;
  readonly received: Mark;
  readonly coldStart: boolean;
  principal?: Principal;
  /** The RateLimit headers as of the moment when the request was charged or refused. */
  limitHeaders?: Readonly<Record<string, string>>;
  /** Absent for a request that is refused, and for any other until it is charged. */
  tokensCharged?: number;
  failure?: { readonly id: string; readonly failure: Failure };
}

export function openInvocation(
  event: unknown,
  { awsRequestId }: Partial<Context>,
  received: Mark,
  coldStart: boolean,
): Invocation {
  const request = readRequest(event);
  const traceId = currentTraceId();
  return {
    request,
    requestId: requestIdOf(request.headers),
    ...(awsRequestId !== undefined && { awsRequestId }),
    ...(traceId !== undefined && { traceId }),
    received,
    coldStart,
  };
}

/** Turns anything that was thrown into the caller's answer, and keeps it for the log under the same `error_id`. */
export function failInvocation(
  invocation: Invocation,
  error: unknown,
  contract: EndpointContract,
  clock: Clock,
): HttpResponse {
  const failure =
    error instanceof Failure ? error : new Failure("internal_error", "A fault.", { cause: error });
  const id = randomUUID();
  invocation.failure = { id, failure };
  return errorResponse(failure, contract, {
    errorId: id,
    now: clock(),
    presentedToken: invocation.request.headers.authorization !== undefined,
  });
}

/** The log line of an invocation that was answered with `status` at `now`. */
export function describeInvocation(
  invocation: Invocation,
  status: number,
  contract: EndpointContract,
  now: Mark,
): RequestLogEntry {
  const { principal, failure } = invocation;
  const level = levelOf(status, failure?.failure);
  // By the steady clock alone: the time of day can be set meanwhile, and no function is frozen while it answers.
  const durationMs = Math.round(now.steadyMs - invocation.received.steadyMs);
  return {
    timestamp: timestampOf(now.wallMs),
    level,
    method: contract.method,
    route: contract.route,
    status,
    duration_ms: durationMs,
    cold_start: invocation.coldStart,
    ...idsOf(invocation),
    ...(principal !== undefined && { owner: principal.owner }),
    ...(failure !== undefined && describeFailure(failure)),
    ...metricMembers(now.wallMs, ...metricsOf(invocation, level, durationMs)),
  };
}

/** The ids by which the lines of the gateway, of Lambda and of X-Ray about this request are found. */
const idsOf = ({ request, awsRequestId, traceId }: Invocation) => ({
  ...(request.gatewayRequestId !== undefined && { gateway_request_id: request.gatewayRequestId }),
  ...(awsRequestId !== undefined && { aws_request_id: awsRequestId }),
  ...(traceId !== undefined && { trace_id: traceId }),
});

/** A request counts by its endpoint, and once more by the code of its refusal. */
function metricsOf(
  { coldStart, tokensCharged = 0, failure }: Invocation,
  level: LogLine["level"],
  durationMs: number,
): readonly MetricSet[] {
  const values = {
    Requests: 1,
    Failures: level === "ERROR" ? 1 : 0,
    Duration: durationMs,
    TokensCharged: tokensCharged,
    ...(coldStart && { ColdStart: 1 }),
  };
  const all: MetricSet = { by: "endpoint", values };
  return failure === undefined ? [all] : [all, { by: "code", values: { Requests: 1 } }];
}

/** A switched-off endpoint answers 503 on purpose; an operator has to look at any other 5xx. */
function levelOf(status: number, failure: Failure | undefined): LogLine["level"] {
  return status >= 500 && failure?.code !== "service_disabled" ? "ERROR" : "INFO";
}

function describeFailure({
  id,
  failure,
}: NonNullable<Invocation["failure"]>): Pick<RequestLogEntry, "error_id" | "code" | "reason" | "fault"> {
  return { error_id: id, code: failure.code, ...explain(failure) };
}

/** A cause that is a text is one of our own, fixed. Any other is a fault, told without anything that a caller sent. */
function explain({ cause }: Failure): Pick<RequestLogEntry, "reason" | "fault"> {
  if (cause === undefined) return {};
  return typeof cause === "string" ? { reason: cause } : { fault: describeFault(cause) };
}
