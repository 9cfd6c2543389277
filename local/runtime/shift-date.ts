import type { ClockShift } from "./clock-shift.ts";

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
