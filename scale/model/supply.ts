/** Something that comes back at a steady pace, up to a store of it: requests of a throttle, or new environments. */
export class Supply {
  readonly #perMs: number;
  readonly #most: number;
  #left: number;
  #filledAt: number;

  /**
   * @param perSecond how much comes back in a second.
   * @param most the most that is kept, which is there at the beginning.
   */
  constructor(perSecond: number, most: number, now: number) {
    this.#perMs = perSecond / 1_000;
    this.#most = most;
    this.#left = most;
    this.#filledAt = now;
  }

  /** Takes one if one is left. */
  take(now: number): boolean {
    this.#left = Math.min(this.#most, this.#left + (now - this.#filledAt) * this.#perMs);
    this.#filledAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
