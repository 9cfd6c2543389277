import { afterEach, describe, expect, test } from "vitest";
import { ClockShift, shiftDate } from "../../../../local/clock/clock-shift.ts";

const YEAR_MS = 365 * 86_400_000;
const machines = Date;

describe("the clock of a service", () => {
  afterEach(() => {
    globalThis.Date = machines;
  });

  test("is the machine's until it is shifted, and threads that share its memory see each shift", () => {
    const shift = new ClockShift();
    const shared = new ClockShift(shift.memory);
    expect(Math.abs(shift.clock() - machines.now())).toBeLessThan(1_000);
    for (const ms of [YEAR_MS, -50 * YEAR_MS, 0.4, 0.6, 0]) {
      shift.ms = ms;
      expect(shared.ms).toBe(Math.round(ms));
      expect(Math.abs(shared.clock() - machines.now() - Math.round(ms))).toBeLessThan(1_000);
    }
  });

  test("gives every date without an argument its time, and leaves all others as they are", () => {
    const shift = new ClockShift();
    shiftDate(shift);
    shift.ms = YEAR_MS;
    const ahead = (ms: number): number => ms - machines.now() - YEAR_MS;
    for (const ms of [Date.now(), Date.parse(new Date().toISOString()), machines.parse(Date())])
      expect(Math.abs(ahead(ms))).toBeLessThan(2_000);
    expect(new Date(0).toISOString()).toBe("1970-01-01T00:00:00.000Z");
    expect(new Date("2026-01-02T03:04:05Z").getTime()).toBe(machines.UTC(2026, 0, 2, 3, 4, 5));
    expect(new Date(2026, 0).getFullYear()).toBe(2026);
    expect(Date.UTC(2026, 0)).toBe(machines.UTC(2026, 0));
    expect(new Date()).toBeInstanceOf(Date);
    expect(new machines()).toBeInstanceOf(Date);
    class Later extends Date {}
    expect(Math.abs(ahead(new Later().getTime()))).toBeLessThan(2_000);
    expect(new Later()).toBeInstanceOf(Later);
  });
});
