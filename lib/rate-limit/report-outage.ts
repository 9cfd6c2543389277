import type { Clock } from "../clock.ts";
import { describeFault } from "../log.ts";

const METRIC = "RateLimitOutage";

/**
 * Writes a line for each decision that was made without the store, in CloudWatch's embedded metric format: a count by
 * limit that an alarm can watch, and what the store failed by.
 */
export function outageReport(
  limitName: string,
  clock: Clock,
  write: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): (error: unknown) => void {
  return (error) => {
    const metrics = {
      Namespace: "countinghouse",
      Dimensions: [["limit"]],
      Metrics: [{ Name: METRIC, Unit: "Count" }],
    };
    write(
      JSON.stringify({
        _aws: { Timestamp: clock(), CloudWatchMetrics: [metrics] },
        limit: limitName,
        [METRIC]: 1,
        fault: describeFault(error),
      }),
    );
  };
}
