import { Failure } from "../errors.ts";

/** A range of time, both ends included, in epoch milliseconds. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

const DAY_MS = 86_400_000;
/** The length of a range with an end left out (contract: rules 1 to 3). */
export const DEFAULT_SPAN_MS = 7 * DAY_MS;
/** The longest range, which is still allowed (contract: rule 4). */
const SPAN_MAX_MS = 30 * DAY_MS;
/** Tokens that the longest window costs. */
export const COST_MAX = SPAN_MAX_MS / DAY_MS;

/** The rule that a window breaks, with the parameters' names as in the contract; undefined for a good one. */
export function windowViolation({ startMs, endMs }: Window): string | undefined {
  if (startMs > endMs) return "start_date: must not be later than end_date.";
  if (endMs - startMs <= SPAN_MAX_MS) return undefined;
  return "end_date: must be at most 30 days after start_date; both are epoch milliseconds.";
}

/**
 * The window that two optional dates mean. A day is 86,400,000 ms here, wherever the code runs. With only an `end_date`
 * near the epoch, the start lies before the epoch. Windows in the future are allowed.
 *
 * @throws {Failure} `validation_error` for a reversed range or one of more than 30 days.
 */
export function resolveWindow(
  { startMs, endMs }: { readonly startMs?: number | undefined; readonly endMs?: number | undefined },
  now: number,
): Window {
  const end = endMs ?? (startMs === undefined ? now : startMs + DEFAULT_SPAN_MS);
  const window = { startMs: startMs ?? end - DEFAULT_SPAN_MS, endMs: end };
  const violation = windowViolation(window);
  if (violation !== undefined) throw new Failure("validation_error", violation);
  return window;
}

/** Tokens that a request for a window costs: one for each day begun, and one for an instant (contract: limits A). */
export const costOf = ({ startMs, endMs }: Window): number =>
  Math.max(1, Math.ceil((endMs - startMs) / DAY_MS));
