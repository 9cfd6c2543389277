const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const MONTH = `(?<month>${MONTHS.join("|")})`;
const TIME = "(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})";

/** The three forms, by the names that RFC 9110 5.6.7 gives them: IMF-fixdate, rfc850-date and asctime-date. */
const FORMS = [
  new RegExp(`^${DAY}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^${LONG_DAY}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`),
  new RegExp(`^${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/** How many years ahead a date with a two-digit year may lie; a later one belongs to the century before. */
const YEARS_AHEAD_MAX = 50;

/**
 * The instant that an HTTP date names, in epoch milliseconds, in any of the three forms. Undefined for any other text,
 * and for a day or a time that does not exist. `now` decides which century a two-digit year belongs to.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  const parts = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const [day, hour, minute, second] = [parts.day, parts.hour, parts.minute, parts.second].map(Number);
  const time = { month: MONTHS.indexOf(String(parts.month)), day, hour, minute, second } as Time;
  if (parts.year?.length === 4) return instantOf(Number(parts.year), time);
  const century = Math.floor(new Date(now).getUTCFullYear() / 100) * 100;
  const years = [century + 100, century, century - 100].map((start) => start + Number(parts.year));
  const limit = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + YEARS_AHEAD_MAX);
  return years
    .map((year) => instantOf(year, time))
    .find((instant) => instant !== undefined && instant <= limit);
}

interface Time {
  /** From 0. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** Up to 60, which a leap second has. */
  readonly second: number;
}

function instantOf(year: number, { month, day, hour, minute, second }: Time): number | undefined {
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  // Date.UTC reads a year below 100 as one after 1900.
  date.setUTCFullYear(year, month, day);
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second);
}
