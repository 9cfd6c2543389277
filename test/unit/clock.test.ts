import { expect, test } from "vitest";
import { ageMs, isWithin, markerOf, steadyClock } from "../../lib/clock.ts";

const SINCE = { wallMs: 1_000_000, steadyMs: 500 };
const later = (wallMs: number, steadyMs: number) => ({
  wallMs: SINCE.wallMs + wallMs,
  steadyMs: SINCE.steadyMs + steadyMs,
});

test.each([
  ["both clocks, which ran on", later(4_999, 4_999.9), 4_999.9, true],
  ["the clock that saw more, the time of day", later(5_000, 0), 5_000, false],
  ["the clock that saw more, the steady one", later(0, 5_000), 5_000, false],
  ["the steady clock when the time of day was set back", later(-1, 10), 10, false],
  ["both clocks at one instant", later(0, 0), 0, true],
])("an age comes from %s", (_what, now, age, isYoung) => {
  expect(ageMs(SINCE, now)).toBeCloseTo(age);
  expect(isWithin(5_000, SINCE, now)).toBe(isYoung);
});

test("a mark has the time of both clocks, and the machine's steady one never goes back", () => {
  expect(
    markerOf(
      () => 7,
      () => 3,
    )(),
  ).toEqual({ wallMs: 7, steadyMs: 3 });
  const mark = markerOf(() => 0);
  const readings = Array.from({ length: 100 }, () => mark().steadyMs);
  expect(readings).toEqual(readings.toSorted((one, other) => one - other));
  expect(readings[0]).toBeLessThanOrEqual(steadyClock());
});
