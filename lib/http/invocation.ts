import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { describeFault, type LogLine, type RequestLogEntry, timestampOf } from "../log.ts";
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
  readonly startedMs: number;
  readonly coldStart: boolean;
  principal?: Principal;
  /** The RateLimit headers as of the moment when the request was charged or refused. */
  limitHeaders?: Readonly<Record<string, string>>;
  failure?: { readonly id: string; readonly failure: Failure };
}

export function openInvocation(event: unknown, clock: Clock, coldStart: boolean): Invocation {
  const request = readRequest(event);
  return { request, requestId: requestIdOf(request.headers), startedMs: clock(), coldStart };
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

/** The log line of an invocation that was answered with `status`. */
export function describeInvocation(
  invocation: Invocation,
  status: number,
  contract: EndpointContract,
  clock: Clock,
): RequestLogEntry {
  const { request, principal, failure } = invocation;
  const now = clock();
  return {
    timestamp: timestampOf(now),
    level: levelOf(status, failure?.failure),
    method: contract.method,
    route: contract.route,
    status,
    duration_ms: now - invocation.startedMs,
    cold_start: invocation.coldStart,
    ...(request.gatewayRequestId !== undefined && { gateway_request_id: request.gatewayRequestId }),
    ...(principal !== undefined && { owner: principal.owner }),
    ...(failure !== undefined && describeFailure(failure)),
  };
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

/** The cause of our own refusals is a fixed text. A fault is described without anything that a caller sent. */
function explain({ cause }: Failure): Pick<RequestLogEntry, "reason" | "fault"> {
  if (cause === undefined) return {};
  return typeof cause === "string" ? { reason: cause } : { fault: describeFault(cause) };
}
