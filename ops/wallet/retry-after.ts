import { parseHttpDate } from "./http-date.ts";
import type { SeenResponse } from "./http-exchange.ts";

/** The parts of a refusal that a wait follows from. */
type Refusal = Pick<SeenResponse, "headers" | "answeredAt">;

/** The shortest wait, also for a server that asks for none. */
const WAIT_MS_MIN = 1_000;

/**
 * The wait that a `Retry-After` asks for, in milliseconds: whole seconds, or the time until a date in any of HTTP's
 * forms, 0 once the date has passed (RFC 9110 10.2.3). A date counts from the answer's own `Date`, since the server's
 * clock may differ from ours, or from the arrival of an answer without one. Undefined when the header is absent or has
 * neither form.
 */
export function retryAfterMs({ headers, answeredAt }: Refusal): number | undefined {
  const text = headers["retry-after"] ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const instant = parseHttpDate(text, answeredAt);
  if (instant === undefined) return undefined;
  const sentAt = parseHttpDate(headers.date ?? "", answeredAt) ?? answeredAt;
  return Math.max(0, instant - sentAt);
}

/** The wait after a refusal, in milliseconds: the one that it asks for, or else `untoldMs`, and at least a second. */
export const waitMsAfter = (refusal: Refusal, untoldMs: number): number =>
  Math.max(WAIT_MS_MIN, retryAfterMs(refusal) ?? untoldMs);
