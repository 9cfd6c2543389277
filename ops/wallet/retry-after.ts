/** HTTP's own way to write an instant (RFC 9110 5.6.7). */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The wait that a `Retry-After` asks for, in milliseconds: whole seconds, or a date, which is none once it has passed
 * (RFC 9110 10.2.3). Undefined when the header is absent or neither. `now` is in epoch milliseconds.
 */
export function retryAfterMs(
  { headers }: { readonly headers: Readonly<Record<string, string>> },
  now: number,
): number | undefined {
  const text = headers["retry-after"] ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const instant = IMF_FIXDATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
