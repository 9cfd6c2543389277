import { parseHttpDate } from "./http-date.ts";
import type { SeenResponse } from "./http-exchange.ts";

/** What is asked of a refusal: its header, and when it came. */
type Refusal = Pick<SeenResponse, "headers" | "answeredAt">;

/** A server that asks for no wait at all is not asked again without any. */
const WAIT_MS_MIN = 1_000;

/**
 * The wait that a `Retry-After` asks for, in milliseconds: whole seconds, or a date in any of HTTP's forms, which is
 * none once it has passed (RFC 9110 10.2.3). A date counts from the answer's own `Date`, since the server may have
 * another clock than we; from when the answer came where it says none. Undefined when the header is absent or neither.
 */
export function retryAfterMs({ headers, answeredAt }: Refusal): number | undefined {
  const text = headers["retry-after"] ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const instant = parseHttpDate(text, answeredAt);
  if (instant === undefined) return undefined;
  const sentAt = parseHttpDate(headers.date ?? "", answeredAt) ?? answeredAt;
  return Math.max(0, instant - sentAt);
}

/** How long a refusal is waited out, in milliseconds: as long as it asks for, or `untoldMs`, and a second at least. */
export const waitMsAfter = (refusal: Refusal, untoldMs: number): number =>
  Math.max(WAIT_MS_MIN, retryAfterMs(refusal) ?? untoldMs);
