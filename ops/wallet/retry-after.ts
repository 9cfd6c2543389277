import { parseHttpDate } from "./http-date.ts";

/**
 * The wait that a `Retry-After` asks for, in milliseconds: whole seconds, or a date in any of HTTP's forms, which is
 * none once it has passed (RFC 9110 10.2.3). Undefined when the header is absent or neither. `now` is in epoch
 * milliseconds.
 */
export function retryAfterMs(
  { headers }: { readonly headers: Readonly<Record<string, string>> },
  now: number,
): number | undefined {
  const text = headers["retry-after"] ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const instant = parseHttpDate(text, now);
  return instant === undefined ? undefined : Math.max(0, instant - now);
}
