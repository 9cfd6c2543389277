import { type Instant, instantOf, parseDateOrInstant } from "../../lib/instant.ts";
import { durationMs } from "../../local/time/duration.ts";
import { instantFault } from "../../local/time/instant-fault.ts";

const FORMS =
  "a date such as 2026-11-01, a date and time with its zone, epoch milliseconds, or a time ago such as 30d or 12h";

/**
 * An instant as an operator gives it: a date (its first moment in UTC), a date and time with its zone, Unix epoch
 * milliseconds, or a time ago, such as `30d`.
 *
 * @param now Unix epoch milliseconds.
 * @throws {RangeError} with a message for the operator.
 */
export function parseMoment(text: string, now: number): Instant {
  const agoMs = durationMs(text, ["h", "d", "w"]);
  const ms = agoMs !== undefined ? now - agoMs : /^\d{13}$/.test(text) ? Number(text) : undefined;
  const instant = ms === undefined ? parseDateOrInstant(text) : instantOf(Math.max(0, ms));
  if (instant !== undefined) return instant;
  throw new RangeError(instantFault(text, FORMS));
}

/** Checks an option's text now, and keeps it: it is the text that tells whether a later command is the same. */
export const momentTake = (text: string, now: () => number) =>
  ({
    text,
    parse: (given: string) => {
      parseMoment(given, now());
      return given;
    },
  }) as const;
