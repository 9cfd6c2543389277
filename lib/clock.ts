/** The time now, in whole milliseconds since the Unix epoch. Passed in wherever time matters, so that tests set it. */
export type Clock = () => number;

/** The machine's clock; the only reader of it in the project's library. */
export const systemClock: Clock = () => Date.now();

/** How far the clocks of two servers may lie apart and still be believed. Whatever depends on a larger difference is refused or forgotten. */
export const CLOCKS_APART_MAX_MS = 5_000;

/** Milliseconds since some instant, fractions included, by a clock that nobody sets: it never goes back, nor jumps. */
export const steadyClock: Clock = () => performance.now();

/**
 * An instant as two clocks tell it. An age needs both: the time of day can be set, and the steady clock stands still while
 * the process does, as in a function that Lambda has frozen (sources: docs/decisions/0010-kill-switch.md).
 */
export interface Mark {
  readonly wallMs: number;
  readonly steadyMs: number;
}

/** Marks instants by these two clocks. */
export const markerOf =
  (clock: Clock, steady: Clock = steadyClock): (() => Mark) =>
  () => ({ wallMs: clock(), steadyMs: steady() });

/** How many ms lie between two marks: what the clock says that saw more of them pass. */
export const ageMs = (since: Mark, now: Mark): number =>
  Math.max(now.wallMs - since.wallMs, now.steadyMs - since.steadyMs);

/**
 * Whether less than `ms` lie between two marks by either clock. Never so once the time of day was set back to before the
 * first: then the clock is of no help that would have seen a freeze.
 */
export const isWithin = (ms: number, since: Mark, now: Mark): boolean =>
  now.wallMs >= since.wallMs && ageMs(since, now) < ms;
