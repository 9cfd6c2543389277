import { METRIC_NAMESPACE } from "../../lib/metrics.ts";
import type { Metric } from "./alarm.ts";

/**
 * Metrics that CloudWatch Logs counts in the access log, where each line has both the status that the caller got and the
 * one that the function gave. Subtracting our own count from the gateway's would be wrong at the end of each minute, at
 * which the two count a request in different minutes.
 */
export const accessLogMetrics = {
  /** Answers of the gateway's own: the function crashed, was throttled, timed out, or could not be called. */
  GatewayFailures: {
    pattern: '{ ($.status = "5*") && ($.functionStatus != "5*") }',
    dimensions: ["stage", "routeKey"],
  },
  /** The same, and the function's own 500s. What a bad release does; a store that fails, and a switch, answer 503. */
  UnexpectedFailures: {
    pattern: '{ ($.status = "5*") && ($.functionStatus != "503") }',
    dimensions: ["stage"],
  },
} as const;

/** What the access log has for a member without a value: as its route, for a request that no route takes. */
export const NO_VALUE = "-";

/** The gateway's own 5xx to requests of a route. */
export const gatewayFailures = (stageName: string, routeKey: string): Metric => ({
  namespace: METRIC_NAMESPACE,
  name: "GatewayFailures",
  dimensions: { stage: stageName, routeKey },
});

/** The 5xx of a stage that a bad release may have brought. */
export const unexpectedFailures = (stageName: string): Metric => ({
  namespace: METRIC_NAMESPACE,
  name: "UnexpectedFailures",
  dimensions: { stage: stageName },
});
