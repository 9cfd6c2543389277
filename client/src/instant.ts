/**
 * An instant: a `Date`, Unix epoch milliseconds, or ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. A date alone is
 * its midnight in UTC.
 */
export type Instant = Date | number | string;

/** From 1973 to 2286, milliseconds have 12 or 13 digits, seconds 9 or 10, and microseconds 15 or 16. */
const IN_MILLISECONDS = /^(?:0|\d{11,13})$/;
const SECONDS_MIN = 1e8;
const SECONDS_END = 1e10;
const ISO_8601 = /^(\d{4}-\d\d-(\d\d))(?:$|[T ](.*)$)/i;
const ZONE_AT_END = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** The Unix epoch milliseconds of an instant; NaN for anything else, such as a day that does not exist. */
export function epochMsOf(given: unknown): number {
  if (typeof given === "number") return IN_MILLISECONDS.test(String(given)) ? given : Number.NaN;
  const isInstant = given instanceof Date || (typeof given === "string" && slipIn(given) === undefined);
  const ms = isInstant ? new Date(given).getTime() : Number.NaN;
  return Number.isSafeInteger(ms) && ms >= 0 ? ms : Number.NaN;
}

/** The rule that a value breaks which is not an instant, to follow the value's name. */
export function brokenInstantRule(given: unknown): string {
  if (typeof given === "string") return slipIn(given) ?? INSTANT_RULE;
  if (typeof given !== "number") return INSTANT_RULE;
  return given >= SECONDS_MIN && given < SECONDS_END
    ? `must be epoch milliseconds, such as ${Math.round(given * 1000)} for these seconds`
    : "must be whole epoch milliseconds, which have 13 digits";
}

const INSTANT_RULE =
  "must be an instant: a Date, epoch milliseconds, or ISO 8601 with a zone, such as 2026-11-01T00:00:00Z";

/** What a text must be to be a date, or a date and time with a zone; undefined where it is. */
function slipIn(text: string): string | undefined {
  const [, date, day, time] = ISO_8601.exec(text) ?? [];
  if (date === undefined)
    return /^\d+$/.test(text) ? "must be a number for epoch milliseconds" : INSTANT_RULE;
  // Engines take 31 November for 1 December.
  if (new Date(date).getUTCDate() !== Number(day)) return "must be on a day that exists";
  return time === undefined || ZONE_AT_END.test(time)
    ? undefined
    : "must end with its zone, such as Z or +01:00";
}
