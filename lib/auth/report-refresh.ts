import type { Clock } from "../clock.ts";
import { describeFault, type Log, timestampOf } from "../log.ts";
import { metricMembers } from "../metrics.ts";

/**
 * Writes a line for each fetch of an issuer's keys that brought none: the metric `KeySetRefreshFailed`, which an alarm
 * can watch, and the fault. Its level is WARN, because requests are answered by the last good keys for a day.
 */
export const refreshReport =
  ({ clock, log }: { readonly clock: Clock; readonly log: Log }): ((error: unknown) => void) =>
  (error) => {
    const now = clock();
    const line = {
      timestamp: timestampOf(now),
      level: "WARN",
      ...metricMembers(now, { by: "endpoint", values: { KeySetRefreshFailed: 1 } }),
      fault: describeFault(error),
    } as const;
    log(line);
  };
