import { type Instant, instantOf, parseDateOrInstant } from "../../lib/instant.ts";
import { refuseInstant } from "../arguments/refuse-instant.ts";

const HOUR_MS = 3_600_000;
const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ["h", HOUR_MS],
  ["d", 24 * HOUR_MS],
  ["w", 168 * HOUR_MS],
]);

/**
 * An instant as an operator gives it: a date (its first moment in UTC), a date and time with its zone, Unix epoch
 * milliseconds, or a time ago, such as `30d`.
 *
 * @param now Unix epoch milliseconds.
 * @throws {RangeError} with a message for the operator.
 */
export function parseMoment(text: string, now: number): Instant {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  const unitMs = UNITS_MS.get(unit);
  const ms =
    unitMs !== undefined ? now - Number(count) * unitMs : /^\d{13}$/.test(text) ? Number(text) : undefined;
  const instant = ms === undefined ? parseDateOrInstant(text) : instantOf(Math.max(0, ms));
  if (instant !== undefined) return instant;
  return refuseInstant(
    text,
    "a date such as 2026-11-01, a date and time with its zone, epoch milliseconds, or a time ago such as 30d or 12h",
  );
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
