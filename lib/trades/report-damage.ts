import type { Clock } from "../clock.ts";
import { timestampOf, writeLine } from "../log.ts";
import { type DamagedSegment, keyText } from "./read-segment.ts";

const METRIC = "DamagedSegment";

/**
 * Writes a line that names a damaged segment by its key, so that the operator can remove it. It is in CloudWatch's
 * embedded metric format: a count by market that an alarm can watch. The request's own line says which caller met it.
 */
export function reportDamage(symbol: string, { segment }: DamagedSegment, clock: Clock): void {
  const now = clock();
  const metrics = {
    Namespace: "countinghouse",
    Dimensions: [["market"]],
    Metrics: [{ Name: METRIC, Unit: "Count" }],
  };
  const line = {
    timestamp: timestampOf(now),
    level: "ERROR",
    _aws: { Timestamp: now, CloudWatchMetrics: [metrics] },
    market: symbol,
    [METRIC]: 1,
    segment: keyText(segment),
  } as const;
  writeLine(line);
}
