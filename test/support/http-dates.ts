/** An instant in the form that RFC 850 gave dates, which every recipient must accept (RFC 9110 5.6.7). */
export function rfc850Text(instant: number): string {
  const [, day, month, year, time] = new Date(instant).toUTCString().split(" ");
  const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(instant);
  return `${weekday}, ${day}-${month}-${year?.slice(2)} ${time} GMT`;
}

/** An instant in the form of C's `asctime`, which every recipient must accept too. */
export function asctimeText(instant: number): string {
  const [weekday, day, month, year, time] = new Date(instant).toUTCString().split(" ");
  return `${weekday?.slice(0, 3)} ${month} ${day?.replace(/^0/, " ")} ${time} ${year}`;
}
