import type { Clock } from "../clock.ts";
import { describeFault, type Log, timestampOf } from "../log.ts";
import { metricMembers } from "../metrics.ts";

/**
 * Writes a line for each decision that was made without the store: the metric `RateLimitOutage`, which an alarm can
 * watch, and the store's error. Its level is WARN, because the request was answered.
 */
export function outageReport(
  limitName: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): (error: unknown) => void {
  return (error) => {
    const now = clock();
    const line = {
      timestamp: timestampOf(now),
      level: "WARN",
      limit: limitName,
      ...metricMembers(now, { by: "endpoint", values: { RateLimitOutage: 1 } }),
      fault: describeFault(error),
    } as const;
    log(line);
  };
}
