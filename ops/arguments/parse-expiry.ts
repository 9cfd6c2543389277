import { epochMsOf, instantOf, parseDateOrInstant } from "../../lib/instant.ts";
import { durationMs } from "../../local/time/duration.ts";
import { instantFault } from "../../local/time/instant-fault.ts";

/** A span of hours, days, weeks or years of 365 days (`12h`, `7d`) in milliseconds; undefined for another text. */
export const spanMsOf = (text: string): number | undefined => durationMs(text, ["h", "d", "w", "y"]);

const FORMS = "a span such as 90d, a date such as 2027-01-31, or a date-time such as 2027-01-31T12:00:00Z";

/**
 * The instant at which something ends, in epoch milliseconds. The text is a span from `now` (`12h`, `90d`, `6w`, `1y`
 * of 365 days), a date (its first instant, UTC) or a date-time with its zone.
 *
 * @throws {RangeError} with a message for the operator, when the text is none of these or lies in the past.
 */
export function parseExpiry(text: string, now: number): number {
  const spanMs = spanMsOf(text);
  const instant = spanMs === undefined ? parseDateOrInstant(text) : instantOf(now + spanMs);
  if (instant === undefined) throw new RangeError(instantFault(text, FORMS));
  const epochMs = epochMsOf(instant);
  if (epochMs <= now) throw new RangeError("It must lie in the future.");
  return epochMs;
}
