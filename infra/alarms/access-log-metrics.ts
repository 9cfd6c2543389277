import { METRIC_NAMESPACE } from "../../lib/metrics.ts";
import type { Metric } from "./alarm.ts";

/**
 * Metrics that CloudWatch Logs counts in the access log, where each line has both the status that the caller got and the
 * one that the function gave. Subtracting our own count from the gateway's would be wrong at the end of each minute, at
 * which the two count a request in different minutes.
 */
export const accessLogMetrics = {
  /** Answers of the gateway's own: the function crashed, was throttled, timed out, or could not be called. */
  GatewayFailures: '{ ($.status = "5*") && ($.functionStatus != "5*") }',
  /** The same, and the function's own 500s. What a bad release does; a store that fails, and a switch, answer 503. */
  UnexpectedFailures: '{ ($.status = "5*") && ($.functionStatus != "503") }',
} as const;

/** The member of a line, and the dimension, that tells stages of one account apart. */
export const ACCESS_LOG_DIMENSION = "stage";

/** A metric of a stage's access log, as CloudWatch keeps it. */
export const accessLogMetric = (stageName: string, name: keyof typeof accessLogMetrics): Metric => ({
  namespace: METRIC_NAMESPACE,
  name,
  dimensions: { [ACCESS_LOG_DIMENSION]: stageName },
});
