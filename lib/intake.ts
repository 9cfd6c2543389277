import { type Checked, notOk } from "./checked.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { CorrectionOrder } from "./corrections.ts";
import { instantOf, microsKey, utcText } from "./instant.ts";

/** Options for taking in a version of a record. */
export interface Intake {
  /** The machine's clock by default. */
  readonly clock?: Clock | undefined;
  /** Present when the version is to replace a newer one, knowingly. */
  readonly correct?: { readonly reason?: string | undefined } | undefined;
}

/** The correction that an intake orders, as of now; undefined when it orders none. */
export const correctionOf = ({ clock = systemClock, correct }: Intake): CorrectionOrder | undefined =>
  correct && { at: clock(), reason: correct.reason };

/** The clock of a source system may be wrong by hours or by its time zone, but not by more. */
const AHEAD_MS_MAX = 86_400_000;

/**
 * Refuses a checked version that was updated in the future. The newest version of a record stays, so one from the year
 * 9999 would keep out all that follow. A refused version may be taken in later.
 */
export function notAhead<
  Version extends { /** 18 digits of microseconds. */ readonly updatedMicros: string },
>(checked: Checked<Version>, { clock = systemClock }: Intake = {}): Checked<Version> {
  const now = clock();
  if (!checked.ok || checked.value.updatedMicros <= microsKey(instantOf(now + AHEAD_MS_MAX))) return checked;
  return notOk(
    `updated_at is more than a day ahead of the importing clock, which says ${utcText(instantOf(now))}`,
  );
}
