import type { Channel } from "./channel.ts";
import { CountinghouseError } from "./error.ts";
import type { CallOptions } from "./options.ts";
import { TIMER_MS_MAX } from "./platform.ts";
import { aNumber } from "./rules.ts";

/** How a record is waited for. */
export interface ThereOptions extends CallOptions {
  /** From one look to the next, in milliseconds. Default: 5,000. */
  readonly everyMs?: number | undefined;
  /** How long a record that is not there yet is waited for, in milliseconds. */
  readonly missingMs?: number | undefined;
}

/** What {@link ThereOptions} must be, beside those of every call. */
export const thereRules = {
  everyMs: aNumber(1, TIMER_MS_MAX),
  missingMs: aNumber(0, Number.POSITIVE_INFINITY),
} as const;

/** Whether a failure says that there is no such record. */
const isMissing = (error: unknown): boolean =>
  error instanceof CountinghouseError && error.code === "not_found";

/** For the failure of a look at a record: nothing where there is none. */
export function nothingIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** From one look at a record to the next. */
export const LOOK_MS = 5_000;

/**
 * Asks for a record until it is there.
 *
 * @throws {CountinghouseError} `not_found` when it is not there for `missingMs`; any other failure at once.
 * @throws the reason of the signal, once it is aborted.
 */
export async function untilThere<Found>(
  channel: Channel,
  ask: () => Promise<Found>,
  { everyMs = LOOK_MS, missingMs = 0, signal }: ThereOptions,
): Promise<Found> {
  const { now } = channel.shared.platform;
  const startedAt = now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isMissing(error) || now() - startedAt >= missingMs) throw error;
    }
    await channel.pause(everyMs, { signal });
  }
}
