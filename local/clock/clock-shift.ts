import { type Clock, systemClock } from "../../lib/clock.ts";

/**
 * How many milliseconds a service's clock is ahead of the machine's. The number lies in memory that the threads of the
 * service share, so that all of them see a change at once.
 */
export class ClockShift {
  readonly #ms: BigInt64Array<SharedArrayBuffer>;

  /** @param memory that of a shift in another thread; new memory for a new shift of 0. */
  constructor(memory = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)) {
    this.#ms = new BigInt64Array(memory);
  }

  /** What another thread makes the same shift from. */
  get memory(): SharedArrayBuffer {
    return this.#ms.buffer;
  }

  get ms(): number {
    return Number(Atomics.load(this.#ms, 0));
  }

  set ms(value: number) {
    Atomics.store(this.#ms, 0, BigInt(Math.round(value)));
  }

  /** The service's clock. */
  readonly clock: Clock = () => systemClock() + this.ms;
}

/**
 * Makes every date without an argument, in this thread, one of a shifted clock: `Date.now()`, `new Date()` and `Date()`.
 * Code that is loaded afterwards, such as a bundle, lives in that time. The steady clock and timers stay the machine's.
 */
export function shiftDate(shift: ClockShift): void {
  const machines = Date;
  const now = (): number => machines.now() + shift.ms;
  globalThis.Date = new Proxy(machines, {
    apply: () => new machines(now()).toString(),
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    get: (target, member, receiver) => (member === "now" ? now : Reflect.get(target, member, receiver)),
  });
}
