import { epochMsOf, parseDateOrInstant } from "../../lib/instant.ts";
import type { ClockShift } from "../clock/clock-shift.ts";
import { ControlRefusal } from "../control/control-route.ts";
import { durationMs } from "./duration.ts";
import { instantFault } from "./instant-fault.ts";

/** Where the time of a service ends: certificates are valid until 2100, and records lie some months ahead. */
export const END_MS = Date.UTC(2099, 0);

/** What the text of a move may be. */
export const MOVE_FORMS =
  "a length of time such as +90s, +12h, +3d or +1y, a date such as 2027-07-01, or a date-time such as 2027-07-01T12:00:00Z";

/**
 * How far a clock is ahead of the machine's once it is moved: on by some milliseconds, or as a text says, by `+90s` or
 * `+3d`, or to an instant.
 *
 * @throws {ControlRefusal} for another text, for an instant that has passed, and for one after 2098.
 */
export function shiftAfter({ ms, clock }: Pick<ClockShift, "ms" | "clock">, move: number | string): number {
  const now = clock();
  const [to, said] = typeof move === "number" ? [now + move, `${move} ms on`] : [instantIn(move, now), move];
  if (to < now)
    throw new ControlRefusal(
      `Time only moves forward: ${said} is before the service's time, ${utc(now)}. A reset takes it back.`,
    );
  if (to >= END_MS) throw new ControlRefusal(`${said} lies beyond 2098, where the service's time ends.`);
  return ms + to - now;
}

/** Whether a text has one of the forms of a move, possible or not. */
export const isMove = (text: string): boolean => targetOf(text, 0) !== undefined;

function instantIn(text: string, now: number): number {
  const target = targetOf(text, now);
  if (target === undefined) throw new ControlRefusal(instantFault(text, MOVE_FORMS));
  return target;
}

function targetOf(text: string, now: number): number | undefined {
  const [, sign, span = ""] = /^([+-])(.*)$/.exec(text) ?? [];
  const spanMs = durationMs(span, ["s", "m", "h", "d", "w", "y"]);
  if (spanMs !== undefined) return sign === "+" ? now + spanMs : now - spanMs;
  const instant = parseDateOrInstant(text);
  return instant === undefined ? undefined : epochMsOf(instant);
}

const utc = (epochMs: number): string => new Date(epochMs).toISOString();
