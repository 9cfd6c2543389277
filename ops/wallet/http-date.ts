const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const MONTH = `(?<month>${MONTHS.join("|")})`;
const TIME = "(?<time>\\d{2}:\\d{2}:\\d{2})";

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
  const { day = "", month = "", year = "", time = "" } = parts;
  const date = `${String(MONTHS.indexOf(month) + 1).padStart(2, "0")}-${day.replace(" ", "0")}`;
  if (year.length === 4) return instantOf(`${year}-${date}`, time);
  const century = Math.floor(new Date(now).getUTCFullYear() / 100) * 100;
  const years = [century + 100, century, century - 100].map((start) => start + Number(year));
  const limit = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + YEARS_AHEAD_MAX);
  return years
    .map((whole) => instantOf(`${whole}-${date}`, time))
    .find((instant) => instant !== undefined && instant <= limit);
}

/** Undefined for a day or a time that does not exist. A leap second counts as the next second. */
function instantOf(date: string, time: string): number | undefined {
  const text = `${date}T${time.replace(/60$/, "59")}.000Z`;
  const instant = Date.parse(text);
  // Date.parse takes some days and hours that do not exist for later ones.
  if (Number.isNaN(instant) || new Date(instant).toISOString() !== text) return undefined;
  return time.endsWith("60") ? instant + 1_000 : instant;
}
