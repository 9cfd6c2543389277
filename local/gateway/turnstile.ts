import { within } from "../process/within.ts";

/** How long requests under way may take before what would be exchanged, or the time, changes under them. */
const DRAIN_MS = 300;

/** Lets requests to functions through, and holds new ones back while the functions or their store are exchanged. */
export class Turnstile {
  #held: Promise<void> | undefined;
  #inside = 0;
  #onEmpty: (() => void) | undefined;

  /** Runs a request's work, as soon as nothing holds it back. */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#held !== undefined) await this.#held;
    this.#inside += 1;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) this.#onEmpty?.();
    }
  }

  /**
   * Holds new requests back, waits for those inside for some time, and does some work. Requests that are still inside
   * then go on. A second caller waits for the first.
   */
  async hold<Result>(work: () => Promise<Result>, drainMs = DRAIN_MS): Promise<Result> {
    while (this.#held !== undefined) await this.#held;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    try {
      if (this.#inside > 0) await within(drainMs, this.#emptied());
      return await work();
    } finally {
      this.#held = undefined;
      resolve();
    }
  }

  #emptied(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
