import { errorBodyOf } from "../hints/answer-body.ts";
import { contractOf } from "../hints/request-seen.ts";
import { shownTarget } from "../http/shown-target.ts";
import type { RequestReport } from "../log/request-line.ts";
import type { LogEvent } from "./log-event.ts";

/** A request that was answered, as the live log tells it. */
export function logEventOf({ exchange, hints, bill }: RequestReport): LogEvent {
  const { requestId, receivedAtMs, durationMs, method, sentTarget, response } = exchange;
  return {
    requestId,
    at: receivedAtMs,
    method,
    target: shownTarget(sentTarget),
    endpoint: contractOf(exchange)?.name ?? null,
    status: response.ending === "reset" ? 0 : response.statusCode,
    tookMs: durationMs,
    ...(bill !== undefined && { billedUnits: bill.readUnits + bill.writeUnits }),
    hints,
    fault: response.fault ?? null,
    error: response.statusCode < 400 ? null : (errorBodyOf(response)?.code ?? null),
  };
}
