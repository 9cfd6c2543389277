import { Failure } from "../errors.ts";
import type { Switch } from "../switches/switch.ts";

/** How long callers of a switched-off endpoint are asked to wait. */
const OFF_RETRY_AFTER_MS = 30_000;

/** Reads the switches of endpoints. */
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
