import type { Clock } from "../clock.ts";
import { type Log, timestampOf } from "../log.ts";
import { metricMembers } from "../metrics.ts";
import type { Switch } from "../switches/switch.ts";

export interface SwitchReport {
  /** The names of the endpoints to look at. */
  readonly endpoints: readonly string[];
  readonly switches: { get(endpoint: string): Promise<Switch> };
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Writes a line for each endpoint with the metric `SwitchedOff`: 1 while its kill switch is off, else 0. A request to an
 * endpoint that is off is answered without a failure, so nothing else would remind an operator to switch it on again.
 *
 * @throws {Failure} when the store does not answer.
 */
export async function reportSwitches({ endpoints, switches, clock, log }: SwitchReport): Promise<void> {
  for (const endpoint of endpoints) {
    const { on } = await switches.get(endpoint);
    const now = clock();
    const metrics = metricMembers(now, { by: "endpoint", values: { SwitchedOff: on ? 0 : 1 } });
    const line = { timestamp: timestampOf(now), level: "INFO", endpoint, ...metrics } as const;
    log(line);
  }
}
