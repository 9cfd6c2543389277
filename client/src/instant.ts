/**
 * An instant: a `Date`, Unix epoch milliseconds, or ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. A date alone is
 * its midnight in UTC.
 */
export type Instant = Date | number | string;

/** From 1973 to 2286, milliseconds have 12 or 13 digits, seconds 9 or 10, and microseconds 15 or 16. */
const IN_MILLISECONDS = /^(?:0|\d{11,13})$/;
const ISO_8601 = /^(\d{4}-\d\d-(\d\d))(?:$|[T ].*(?:Z|[+-]\d\d:?\d\d)$)/i;

/** The Unix epoch milliseconds of an instant; NaN for anything else, such as a day that does not exist. */
export function epochMsOf(given: unknown): number {
  if (typeof given === "number") return IN_MILLISECONDS.test(String(given)) ? given : Number.NaN;
  const isInstant = given instanceof Date || (typeof given === "string" && isDayOf(given));
  const ms = isInstant ? new Date(given).getTime() : Number.NaN;
  return Number.isSafeInteger(ms) && ms >= 0 ? ms : Number.NaN;
}

/** Whether a text begins with a day that exists: engines take 31 November for 1 December. */
function isDayOf(text: string): boolean {
  const [, date, day] = ISO_8601.exec(text) ?? [];
  return date !== undefined && new Date(date).getUTCDate() === Number(day);
}
