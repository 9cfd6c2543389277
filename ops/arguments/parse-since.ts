import { parseDateOrInstant } from "../../lib/instant.ts";
import { durationMs } from "../../local/time/duration.ts";
import { refuseInstant } from "./refuse-instant.ts";

/** No line of the audit, or of a log, is older. */
const BEGAN_MS = Date.parse("2026-01-01T00:00:00Z");

/**
 * The instant (epoch ms) from which on lines are asked for: a length of time back from now, such as `7d`, a date, or an
 * instant.
 *
 * @throws {RangeError} with a message for the operator, when the text is none of them.
 */
export function parseSince(text: string, now: number): number {
  const backMs = durationMs(text, ["m", "h", "d", "w"]);
  const sinceMs = backMs === undefined ? instantIn(text) : now - backMs;
  if (sinceMs === undefined)
    return refuseInstant(text, "a length of time back from now such as 12h, 7d or 4w, a date, or an instant");
  return Math.max(sinceMs, BEGAN_MS);
}

function instantIn(text: string): number | undefined {
  const instant = parseDateOrInstant(text);
  return instant === undefined ? undefined : instant.seconds * 1_000;
}
