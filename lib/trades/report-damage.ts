import type { Clock } from "../clock.ts";
import { type Log, timestampOf } from "../log.ts";
import { metricMembers } from "../metrics.ts";
import { type DamagedSegment, keyText } from "./read-segment.ts";

/**
 * Writes a line that names a damaged segment by its key, so that the operator can remove it, with the metric
 * `DamagedSegment`, at which an alarm rings. The line of the request or of the batch says who met it.
 */
export function reportDamage(
  symbol: string,
  { segment }: DamagedSegment,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): void {
  const now = clock();
  const line = {
    timestamp: timestampOf(now),
    level: "ERROR",
    market: symbol,
    segment: keyText(segment),
    ...metricMembers(now, { by: "endpoint", values: { DamagedSegment: 1 } }),
  } as const;
  log(line);
}
