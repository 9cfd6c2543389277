import { TIMER_MS_MAX } from "./platform.ts";

/** A `Retry-After` in units. RFC 9110 has whole ones, and some servers send a fraction. */
const UNITS = /^\d+(?:\.\d+)?$/;

/**
 * How long an answer asks to wait, in milliseconds, by its `Retry-After`: in the interface's own unit, of which a part counts
 * as a whole one, or a date, which counts from the answer's own `Date`, whatever the client's clock says.
 *
 * @returns undefined when nothing is said, or nothing that can be understood.
 */
export function retryAfterMs(
  headers: Headers,
  { retryAfterUnit, now }: { readonly retryAfterUnit: "milliseconds" | "seconds"; readonly now: number },
): number | undefined {
  const text = headers.get("Retry-After");
  if (text === null) return undefined;
  if (UNITS.test(text)) return toldMs(Math.ceil(Number(text)) * (retryAfterUnit === "seconds" ? 1000 : 1));
  const untilMs = dateMs(text);
  if (Number.isNaN(untilMs)) return undefined;
  const sentMs = dateMs(headers.get("Date") ?? "");
  // A date has whole seconds.
  const nowMs = Math.floor(now / 1000) * 1000;
  return toldMs(Math.max(0, untilMs - (Number.isNaN(sentMs) ? nowMs : sentMs)));
}

/** A wait that was told, no longer than a timer takes: a longer one would make it fire at once. Nothing is told below zero. */
export const toldMs = (ms: number | undefined): number | undefined =>
  ms === undefined || ms < 0 ? undefined : Math.min(ms, TIMER_MS_MAX);

/** A date of HTTP in any of its three forms (RFC 9110 5.6.7). The last one does not name its zone, which is GMT. */
function dateMs(text: string): number {
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return Number.NaN;
  return Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
}
