import { epochMsOf, parseDateOrInstant } from "../../lib/instant.ts";
import { durationMs } from "../../local/time/duration.ts";
import { instantFault } from "../../local/time/instant-fault.ts";

/** No line of the audit, or of a log, is older. */
const BEGAN_MS = Date.parse("2026-01-01T00:00:00Z");

const FORMS = "a length of time back from now such as 12h, 7d or 4w, a date, or an instant";

/**
 * The instant (epoch ms) from which on lines are asked for: a length of time back from now, such as `7d`, a date, or an
 * instant.
 *
 * @throws {RangeError} with a message for the operator, when the text is none of them.
 */
export function parseSince(text: string, now: number): number {
  const backMs = durationMs(text, ["m", "h", "d", "w"]);
  if (backMs !== undefined) return Math.max(now - backMs, BEGAN_MS);
  const instant = parseDateOrInstant(text);
  if (instant === undefined) throw new RangeError(instantFault(text, FORMS));
  return Math.max(epochMsOf(instant), BEGAN_MS);
}
