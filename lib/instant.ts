/** A point in time. */
export interface Instant {
  /** Whole seconds since 1970 in UTC, never negative and never beyond the year 9999. */
  readonly seconds: number;
  /** The digits after the second as they were written, from none to nine. */
  readonly fraction: string;
}

/** The first second of the year 10000, whose text would have one digit more. */
const SECONDS_END = Date.UTC(10_000, 0, 1) / 1000;

const DATE = String.raw`(\d{4}-\d{2}-\d{2})`;
const TIME = String.raw`((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?`;
const ZONE = String.raw`(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))`;
const DATE_ONLY = new RegExp(`^${DATE}$`);
const DATE_AND_TIME = new RegExp(`^${DATE}T${TIME}${ZONE}$`);

/**
 * Reads a date and time in the form that RFC 3339 and ISO 8601 share: `T`, seconds, and `Z` or an offset, with at most
 * nine digits after the second. Undefined for days that do not exist, hour 24, leap seconds, `-00:00` (which ISO 8601
 * does not have) and anything outside the years 1970 to 9999 in UTC.
 */
export function parseInstant(text: string): Instant | undefined {
  const match = DATE_AND_TIME.exec(text);
  if (match === null || text.endsWith("-00:00")) return undefined;
  const [, date = "", time = "", fraction = "", sign, hours, minutes] = match;
  const local = secondsOf(date, time);
  if (local === undefined) return undefined;
  const offset = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60);
  return instantAt(local - offset, fraction);
}

/** Reads a date and time, or a date alone, which means its first moment in UTC. */
export function parseDateOrInstant(text: string): Instant | undefined {
  const date = DATE_ONLY.exec(text)?.[1];
  if (date === undefined) return parseInstant(text);
  const seconds = secondsOf(date, "00:00:00");
  return seconds === undefined ? undefined : instantAt(seconds, "");
}

const EPOCH = /^(\d{10})(\d{3})?$/;
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/;

/** What is wrong with a text that is not an instant, where it is a common slip, to follow the text's name. */
export function instantSlip(text: string): string | undefined {
  const [date] = /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(text) ?? [];
  if (date !== undefined && secondsOf(date, "00:00:00") === undefined) return `there is no such day: ${date}`;
  if (date !== undefined && date < "1970") return "must not lie before 1970";
  if (WITHOUT_ZONE.test(text)) return "has no zone: add Z, or an offset such as +01:00";
  const [epoch, seconds, milliseconds] = EPOCH.exec(text) ?? [];
  if (epoch === undefined) return undefined;
  const shown = utcText({ seconds: Number(seconds), fraction: milliseconds ?? "" });
  return `looks like epoch ${milliseconds === undefined ? "seconds" : "milliseconds"}; send ${shown} instead`;
}

/** The instant of a clock's reading in milliseconds since 1970. */
export const instantOf = (epochMs: number): Instant => ({
  seconds: Math.floor(epochMs / 1000),
  fraction: String(epochMs % 1000).padStart(3, "0"),
});

/** Whole milliseconds since 1970. Digits beyond the millisecond are cut off. */
export const epochMsOf = ({ seconds, fraction }: Instant): number =>
  seconds * 1_000 + Number(fraction.slice(0, 3).padEnd(3, "0"));

/** Whole microseconds since 1970 in 18 digits, which sort as text. Digits beyond the microsecond are cut off. */
export const microsKey = ({ seconds, fraction }: Instant): string =>
  String(seconds).padStart(12, "0") + fraction.slice(0, 6).padEnd(6, "0");

/** The instant in UTC, ending in `Z`, with the digits after the second that it was written with. */
export function utcText({ seconds, fraction }: Instant): string {
  const wholeSeconds = new Date(seconds * 1000).toISOString().slice(0, "yyyy-mm-ddThh:mm:ss".length);
  return `${wholeSeconds}${fraction === "" ? "" : `.${fraction}`}Z`;
}

/** Seconds since 1970 of a date and time in UTC; undefined for a day that does not exist. */
function secondsOf(date: string, time: string): number | undefined {
  const text = `${date}T${time}.000Z`;
  const epochMs = Date.parse(text);
  if (Number.isNaN(epochMs) || new Date(epochMs).toISOString() !== text) return undefined;
  return epochMs / 1000;
}

const instantAt = (seconds: number, fraction: string): Instant | undefined =>
  seconds >= 0 && seconds < SECONDS_END ? { seconds, fraction } : undefined;
