import { epochMsOf } from "../../../client/src/instant.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** An instant in UTC as ISO 8601 writes it, to the second: `2026-11-28T14:05:00Z`. */
export const isoText = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

/** As ISO 8601, as exactly as buckets need: `2026-11-28`, `2026-11-28T14:05Z`, or `2026-11-28T14:05:30Z`. */
export function instantText(atMs: number, widthMs: number): string {
  const text = isoText(atMs);
  if (widthMs >= DAY_MS) return text.slice(0, 10);
  return widthMs >= MINUTE_MS ? `${text.slice(0, 16)}Z` : text;
}

const DAY_OR_INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?$/;

/** What is wrong with a text that is no day and no instant. */
export const complaintOf = (text: string): string =>
  DAY_OR_INSTANT.test(text.trim())
    ? `There is no such ${text.includes("T") ? "time" : "day"}: ${text.trim()}.`
    : "Type a day such as 2026-11-20, or 2026-11-20T14:05Z.";

/** Whether a day or an instant has not begun. */
export const isAhead = (text: string, nowMs: number): boolean =>
  untilMs(text, nowMs) !== undefined && text.trim() > isoText(nowMs);

/** The last instant that a visitor means by a day or an instant in UTC, now at the latest; undefined for another text. */
export function untilMs(text: string, nowMs: number): number | undefined {
  const wanted = text.trim();
  if (wanted === "") return nowMs;
  const atMs = DAY_OR_INSTANT.test(wanted) ? epochMsOf(wanted) : Number.NaN;
  if (Number.isNaN(atMs)) return undefined;
  return Math.min(nowMs, wanted.includes("T") ? atMs : atMs + DAY_MS - 1);
}
