import type { Clock } from "../clock.ts";
import { describeFault, timestampOf, writeLine } from "../log.ts";

const METRIC = "RateLimitOutage";

/**
 * Writes a line for each decision that was made without the store, in CloudWatch's embedded metric format: a count by
 * limit that an alarm can watch, and the store's error. Its level is WARN, because the request was answered.
 */
export function outageReport(limitName: string, clock: Clock): (error: unknown) => void {
  return (error) => {
    const now = clock();
    const metrics = {
      Namespace: "countinghouse",
      Dimensions: [["limit"]],
      Metrics: [{ Name: METRIC, Unit: "Count" }],
    };
    const line = {
      timestamp: timestampOf(now),
      level: "WARN",
      _aws: { Timestamp: now, CloudWatchMetrics: [metrics] },
      limit: limitName,
      [METRIC]: 1,
      fault: describeFault(error),
    } as const;
    writeLine(line);
  };
}
