/** A `Retry-After` in whole units. */
const DIGITS = /^\d{1,12}$/;

/**
 * How long an answer asks to wait, in milliseconds, by its `Retry-After`: in the interface's own unit, or a date, which
 * counts from the answer's own `Date`, whatever the client's clock says.
 *
 * @returns undefined when nothing is said, or nothing that can be understood.
 */
export function retryAfterMs(
  headers: Headers,
  { retryAfterUnit, now }: { readonly retryAfterUnit: "milliseconds" | "seconds"; readonly now: number },
): number | undefined {
  const text = headers.get("Retry-After");
  if (text === null) return undefined;
  if (DIGITS.test(text)) return Number(text) * (retryAfterUnit === "seconds" ? 1000 : 1);
  const untilMs = dateMs(text) - dateMs(headers.get("Date") ?? new Date(now).toUTCString());
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs);
}

/** A date of HTTP in any of its three forms (RFC 9110 5.6.7). The last one does not name its zone, which is GMT. */
function dateMs(text: string): number {
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return Number.NaN;
  return Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
}
