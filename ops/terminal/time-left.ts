const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_HOURS = 24;

/** A time in words: 8 s, 3 min 20 s, 2 h 5 min, 3 d 0 h. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [minutes, hours] = [Math.floor(seconds / MINUTE_SECONDS), Math.floor(seconds / HOUR_SECONDS)];
  if (hours >= DAY_HOURS) return `${Math.floor(hours / DAY_HOURS)} d ${hours % DAY_HOURS} h`;
  if (hours > 0) return `${hours} h ${minutes % MINUTE_SECONDS} min`;
  return minutes > 0 ? `${minutes} min ${seconds % MINUTE_SECONDS} s` : `${seconds} s`;
}

/** An estimated time, rounded because it is uncertain: about 40 s, about 3 min. */
function guessText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 10) return `about ${Math.max(1, seconds)} s left`;
  if (seconds <= 90) return `about ${Math.ceil(seconds / 5) * 5} s left`;
  const minutes = Math.ceil(seconds / MINUTE_SECONDS);
  if (minutes <= 90) return `about ${minutes} min left`;
  return `about ${Math.ceil(minutes / MINUTE_SECONDS)} h left`;
}

/** Until this share is done, the time for the rest cannot be estimated. */
const TELLING_SHARE = 0.01;

/** The time for the rest at the average speed so far, in words. @param share the share that is done, 0 to 1. */
export function timeLeft(share: number, tookMs: number): string {
  if (!(share >= TELLING_SHARE) || tookMs <= 0) return "…";
  return share >= 1 ? "nearly done" : guessText((tookMs * (1 - share)) / share);
}

/**
 * The position of a bar whose known progress moves in jumps. Between jumps the bar goes on at the average speed, by no
 * more than the longest jump so far. It never goes back.
 */
export class SteadyPosition {
  readonly #total: number;
  #known = 0;
  #knownAtMs = 0;
  #jumpMax = 0;
  #shown = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** The position `tookMs` after the beginning, when `known` of the total is known to be done. */
  at(known: number, tookMs: number): number {
    if (known > this.#known) {
      this.#jumpMax = Math.max(this.#jumpMax, known - this.#known);
      this.#known = known;
      this.#knownAtMs = tookMs;
    }
    const perMs = this.#knownAtMs > 0 ? this.#known / this.#knownAtMs : 0;
    const sinceMs = tookMs - this.#knownAtMs;
    const guess = this.#known + Math.min(perMs * sinceMs, this.#jumpMax);
    this.#shown = Math.max(this.#shown, Math.min(guess, this.#total));
    return this.#shown;
  }
}
