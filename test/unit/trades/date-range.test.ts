import { expect, test } from "vitest";
import { costOf, resolveWindow, windowViolation } from "../../../lib/trades/date-range.ts";
import { DAY_MS, NOW } from "../../support/trades.ts";

const WEEK_MS = 7 * DAY_MS;
const MARCH_CHANGE = 1_775_001_600_000;

test.each<[string, { startMs?: number; endMs?: number }, startMs: number, endMs: number]>([
  ["no dates: the seven days up to now", {}, NOW - WEEK_MS, NOW],
  [
    "an end alone: the seven days before it, of 86,400,000 ms each, across a change of the clocks",
    { endMs: MARCH_CHANGE },
    1_774_396_800_000,
    MARCH_CHANGE,
  ],
  [
    "a start alone: the seven days after it, now or not",
    { startMs: MARCH_CHANGE },
    MARCH_CHANGE,
    MARCH_CHANGE + WEEK_MS,
  ],
  [
    "an end in ten years, which is not cut to now",
    { endMs: NOW + 3_650 * DAY_MS },
    NOW + 3_643 * DAY_MS,
    NOW + 3_650 * DAY_MS,
  ],
  ["0, an instant like any other", { startMs: 0, endMs: 0 }, 0, 0],
  ["0 as the end alone", { endMs: 0 }, -WEEK_MS, 0],
  ["a single instant", { startMs: NOW, endMs: NOW }, NOW, NOW],
  ["30 days to the millisecond", { startMs: NOW - 30 * DAY_MS, endMs: NOW }, NOW - 30 * DAY_MS, NOW],
])("the window of %s", (_, dates, startMs, endMs) => {
  const window = resolveWindow(dates, NOW);
  expect(window).toEqual({ startMs, endMs });
  expect(windowViolation(window)).toBeUndefined();
});

test.each([
  ["reversed", { startMs: NOW + 1, endMs: NOW }, "start_date: must not be later than end_date."],
  [
    "longer",
    { startMs: NOW - 30 * DAY_MS - 1, endMs: NOW },
    "end_date: must be at most 30 days after start_date; both are epoch milliseconds.",
  ],
])("a range that is %s is refused by its parameters, as the contract names them", (_, window, violation) => {
  expect(windowViolation(window)).toBe(violation);
  expect(() => resolveWindow(window, NOW)).toThrow(violation);
});

test.each([
  [0, 1],
  [1, 1],
  [DAY_MS, 1],
  [DAY_MS + 1, 2],
  [2 * DAY_MS - 1, 2],
  [29 * DAY_MS + 1, 30],
])("a range of %d ms costs %d tokens", (spanMs, cost) => {
  expect(costOf({ startMs: NOW - spanMs, endMs: NOW })).toBe(cost);
});
