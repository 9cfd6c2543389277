import { Supply } from "./supply.ts";

/** The times of a function, and what its account allows. */
export interface EnvironmentsProps {
  /** How long a call takes in a running environment, in whole ms. */
  readonly durationMs: number;
  /** How long a new environment takes before its first call, in whole ms. */
  readonly coldMs: number;
  /** The most environments at work at once. */
  readonly concurrency: number;
  /** Requests a second for each environment of the concurrency. */
  readonly requestsPerEnvironment: number;
  /** New environments in ten seconds. */
  readonly scaling: number;
}

/**
 * The environments of one function, each of which takes one call at a time. A call that finds none idle begins a new
 * one, if Lambda still gives any. Time is in whole ms, and only moves forward.
 */
export class Environments {
  readonly #props: EnvironmentsProps;
  readonly #scaling: Supply;
  readonly #requests: Supply;
  /** How many environments become idle at each ms, in a ring that is longer than any call takes. */
  readonly #idleAt: Uint32Array;
  #idle = 0;
  #count = 0;
  #now: number;

  constructor(props: EnvironmentsProps, now: number) {
    const { concurrency, requestsPerEnvironment, scaling, durationMs, coldMs } = props;
    this.#props = props;
    this.#scaling = new Supply(scaling / 10, scaling, now);
    const requests = concurrency * requestsPerEnvironment;
    this.#requests = new Supply(requests, requests, now);
    this.#idleAt = new Uint32Array(durationMs + coldMs + 1);
    this.#now = now;
  }

  /** How many environments there are, idle ones included. */
  get count(): number {
    return this.#count;
  }

  /** How many are at work. */
  get busy(): number {
    return this.#count - this.#idle;
  }

  /** Gives a call an environment: one that was idle, or a new one; undefined when Lambda refuses the call. */
  take(now: number): "warm" | "cold" | undefined {
    this.#moveTo(now);
    const { durationMs, coldMs, concurrency } = this.#props;
    if (this.busy >= concurrency || !this.#requests.take(now)) return undefined;
    if (this.#idle > 0) {
      this.#idle -= 1;
      this.#workUntil(now + durationMs);
      return "warm";
    }
    if (!this.#scaling.take(now)) return undefined;
    this.#count += 1;
    this.#workUntil(now + coldMs + durationMs);
    return "cold";
  }

  #workUntil(ms: number): void {
    const at = ms % this.#idleAt.length;
    this.#idleAt[at] = (this.#idleAt[at] ?? 0) + 1;
  }

  #moveTo(now: number): void {
    while (this.#now < now) {
      this.#now += 1;
      const at = this.#now % this.#idleAt.length;
      this.#idle += this.#idleAt[at] ?? 0;
      this.#idleAt[at] = 0;
    }
  }
}
