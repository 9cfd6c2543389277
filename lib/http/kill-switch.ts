import { Failure } from "../errors.ts";
import type { Switch } from "../switches/switch.ts";

/** How long a caller is asked to leave a switched-off endpoint alone. */
const OFF_RETRY_AFTER_MS = 30_000;

/** Where an endpoint's switch stands. */
export interface Switches {
  get(endpointName: string): Promise<Switch>;
}

/** @throws {Failure} `service_disabled` when the switch is off. */
export function requireOn(position: Switch): void {
  if (position.on) return;
  throw new Failure("service_disabled", "The endpoint is switched off.", {
    retryAfterMs: OFF_RETRY_AFTER_MS,
  });
}
