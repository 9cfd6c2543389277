import { type Clock, systemClock } from "./clock.ts";
import type { CorrectionOrder } from "./corrections.ts";
import { instantOf, microsKey, utcText } from "./instant.ts";

/** How versions of records are taken in, beyond what they say themselves. */
export interface Intake {
  /** The machine's own unless given. */
  readonly clock?: Clock | undefined;
  /** Given when a version is to replace a newer one, knowingly. */
  readonly correct?: { readonly reason?: string | undefined } | undefined;
}

/** The correction that an intake orders, if any, as of now. */
export const correctionOf = ({ clock = systemClock, correct }: Intake): CorrectionOrder | undefined =>
  correct && { at: clock(), reason: correct.reason };

/** Clocks of source systems may be wrong by hours and zones, but not by more. */
const AHEAD_MS_MAX = 86_400_000;

/**
 * Why a version is not taken in that was updated in the future, or undefined when it may be. The newest version of a
 * record stays, so one from the year 9999 would keep out all that follow. What is ahead today may be taken in later.
 *
 * @param updatedMicros 18 digits of microseconds.
 */
export function aheadViolation(updatedMicros: string, { clock = systemClock }: Intake): string | undefined {
  const now = clock();
  if (updatedMicros <= microsKey(instantOf(now + AHEAD_MS_MAX))) return undefined;
  return `updated_at is more than a day ahead of the importing clock, which says ${utcText(instantOf(now))}`;
}
