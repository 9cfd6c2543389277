/** The time now, in whole milliseconds since the Unix epoch. Passed in wherever time matters, so that tests set it. */
export type Clock = () => number;

/** The machine's clock. Nothing else in lib reads it. */
export const systemClock: Clock = () => Date.now();

/**
 * The largest difference between the clocks of two servers that is tolerated. A value that depends on a larger
 * difference is refused or forgotten.
 */
export const CLOCKS_APART_MAX_MS = 5_000;

/**
 * Milliseconds since an arbitrary instant, with fractions, by a clock that nobody sets: it never goes back or jumps.
 */
export const steadyClock: Clock = () => performance.now();

/**
 * An instant by two clocks. An age needs both: the time of day can be set, and the steady clock stands still while the
 * process does, as in a function that Lambda has frozen (hashicorp/vault-lambda-extension 150, nodejs/node 47724).
 */
export interface Mark {
  readonly wallMs: number;
  readonly steadyMs: number;
}

/** Returns a function that marks the current instant by both clocks. */
export const markerOf =
  (clock: Clock, steady: Clock = steadyClock): (() => Mark) =>
  () => ({ wallMs: clock(), steadyMs: steady() });

/** The mark of an instant by another machine's time of day (epoch ms). An instant that lies ahead counts as `now`. */
export function markOf(epochMs: number, now: Mark): Mark {
  const passedMs = Math.max(0, now.wallMs - epochMs);
  return { wallMs: now.wallMs - passedMs, steadyMs: now.steadyMs - passedMs };
}

/** Milliseconds between two marks, by the clock that counted more of them. */
export const ageMs = (since: Mark, now: Mark): number =>
  Math.max(now.wallMs - since.wallMs, now.steadyMs - since.steadyMs);

/**
 * Whether less than `ms` lie between two marks by both clocks. False once the time of day was set back to before the
 * first mark: the steady clock alone does not notice a freeze.
 */
export const isWithin = (ms: number, since: Mark, now: Mark): boolean =>
  now.wallMs >= since.wallMs && ageMs(since, now) < ms;
