import { parseHttpDate } from "./http-date.ts";
import type { SeenResponse } from "./http-exchange.ts";

/** The parts of a refusal that a wait follows from. */
type Refusal = Pick<SeenResponse, "headers" | "answeredAt">;

/** The shortest wait, also for a server that asks for none. */
const WAIT_MS_MIN = 1_000;
/** The longest wait that is told: some thirty years. More digits than these nine are a mistake. */
const SECONDS_MAX = 999_999_999;

/** What a `Retry-After` says. */
export interface ToldWait {
  /** The wait in milliseconds; undefined when nobody can tell which one is meant. */
  readonly ms?: number;
  /** What is wrong with the form of the header (RFC 9110 10.2.3), in words; undefined for a right one. */
  readonly fault?: string;
}

/** Forms that are not those of HTTP, with what they are called. A wait that can be told from one is waited out. */
const WRONG_FORMS: readonly (readonly [pattern: RegExp, fault: string])[] = [
  [/^$/, "empty"],
  [/^\d+$/, "more than nine digits"],
  [/^\d*\.\d+$|^\d+\.$/, "a fraction"],
  [/^-\s*[\d.]+$/, "negative"],
  [/^\+\s*[\d.]+$/, "a number with a sign"],
  [/^[\d.]+\s*,[\d.,\s]*$/, "more than one number"],
];

/**
 * Reads a `Retry-After`: whole seconds, or the time until a date in any of HTTP's forms, 0 once the date has passed. A
 * date counts from the answer's own `Date`, since the server's clock may differ from ours, or from the arrival of an
 * answer without one. A fraction is rounded up. Undefined without the header.
 */
export function readRetryAfter({ headers, answeredAt }: Refusal): ToldWait | undefined {
  const text = headers["retry-after"];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return { ms: Number(text) * 1000 };
  const instant = parseHttpDate(text, answeredAt);
  if (instant !== undefined) {
    const sentAt = parseHttpDate(headers.date ?? "", answeredAt) ?? answeredAt;
    return { ms: Math.max(0, instant - sentAt) };
  }
  const fault = WRONG_FORMS.find(([pattern]) => pattern.test(text))?.[1];
  if (fault === undefined) return { fault: "neither whole seconds nor a date of HTTP" };
  const seconds = /^[\d.]+$/.test(text) ? Math.ceil(Number(text)) : Number.NaN;
  return { fault, ...(seconds >= 0 && { ms: Math.min(seconds, SECONDS_MAX) * 1000 }) };
}

/** The wait after a refusal, in milliseconds: the one that it asks for, or else `untoldMs`, and at least a second. */
export const waitMsAfter = (refusal: Refusal, untoldMs: number): number =>
  Math.max(WAIT_MS_MIN, readRetryAfter(refusal)?.ms ?? untoldMs);
