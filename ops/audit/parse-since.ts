import { parseDateOrInstant } from "../../lib/instant.ts";

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 7 * 86_400_000],
]);
const BACK = /^([1-9]\d{0,4})([mhdw])$/;

/** No line is older than the audit itself. */
const AUDIT_BEGAN_MS = Date.parse("2026-01-01T00:00:00Z");

/**
 * The instant (epoch ms) from which lines are asked for: a length of time back from now, such as `7d`, a date, or an
 * instant.
 *
 * @throws {RangeError} with a message for the operator, when the text is none of them.
 */
export function parseSince(text: string, now: number): number {
  const sinceMs = backFrom(now, text) ?? instantIn(text);
  if (sinceMs === undefined)
    throw new RangeError("Give a length of time back from now such as 12h, 7d or 4w, a date, or an instant.");
  return Math.max(sinceMs, AUDIT_BEGAN_MS);
}

function backFrom(now: number, text: string): number | undefined {
  const [, count, unit = ""] = BACK.exec(text) ?? [];
  const unitMs = UNITS_MS.get(unit);
  return unitMs === undefined ? undefined : now - Number(count) * unitMs;
}

function instantIn(text: string): number | undefined {
  const instant = parseDateOrInstant(text);
  return instant === undefined ? undefined : instant.seconds * 1_000;
}
