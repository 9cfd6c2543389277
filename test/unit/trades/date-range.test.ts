import { describe, expect, test } from "vitest";
import { costOf, resolveWindow, windowViolation } from "../../../lib/trades/date-range.ts";
import { NOW } from "../../support/trades.ts";

const WEEK_MS = 604_800_000;
const DAY_MS = 86_400_000;
const MARCH_CHANGE = 1_775_001_600_000;

describe("dates that are left out", () => {
  test("no dates: the seven days up to now", () => {
    expect(resolveWindow({}, NOW)).toEqual({ startMs: NOW - WEEK_MS, endMs: NOW });
  });

  test("an end alone: the seven days before it, of 86,400,000 ms each, across a change of the clocks", () => {
    const endMs = MARCH_CHANGE;
    expect(resolveWindow({ endMs }, NOW)).toEqual({ startMs: 1_774_396_800_000, endMs });
  });

  test("a start alone: the seven days after it, now or not", () => {
    expect(resolveWindow({ startMs: MARCH_CHANGE }, NOW).endMs).toBe(MARCH_CHANGE + WEEK_MS);
  });

  test("an end in ten years is not cut to now, and costs its seven days", () => {
    const window = resolveWindow({ endMs: NOW + 3_650 * DAY_MS }, NOW);
    expect(window.startMs).toBe(NOW + 3_643 * DAY_MS);
    expect(costOf(window)).toBe(7);
  });

  test("0 is an instant like any other", () => {
    expect(resolveWindow({ startMs: 0, endMs: 0 }, NOW)).toEqual({ startMs: 0, endMs: 0 });
    expect(resolveWindow({ endMs: 0 }, NOW)).toEqual({ startMs: -WEEK_MS, endMs: 0 });
  });
});

describe("limits of a range", () => {
  test("30 days are allowed to the millisecond", () => {
    const startMs = NOW - 30 * DAY_MS;
    expect(costOf(resolveWindow({ startMs, endMs: NOW }, NOW))).toBe(30);
    expect(() => resolveWindow({ startMs: startMs - 1, endMs: NOW }, NOW)).toThrow(/^end_date: .*30 days/);
  });

  test("a reversed range is refused, a single instant is not", () => {
    expect(() => resolveWindow({ startMs: NOW + 1, endMs: NOW }, NOW)).toThrow(/^start_date: .*later/);
    expect(resolveWindow({ startMs: NOW, endMs: NOW }, NOW)).toEqual({ startMs: NOW, endMs: NOW });
  });

  test("seconds beside milliseconds give a range that is far too long", () => {
    expect(() => resolveWindow({ startMs: 1_795_467_600, endMs: NOW }, NOW)).toThrow(/30 days/);
  });

  test("two dates of 1970 are a range like any other", () => {
    expect(costOf(resolveWindow({ startMs: 1_795_467_600, endMs: 1_795_554_000 }, NOW))).toBe(1);
  });
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

test("a wrong range is told by its parameters, as the contract names them", () => {
  expect(windowViolation({ startMs: 1, endMs: 0 })).toBe("start_date: must not be later than end_date.");
  expect(windowViolation({ startMs: 0, endMs: 30 * DAY_MS + 1 })).toBe(
    "end_date: must be at most 30 days after start_date; both are epoch milliseconds.",
  );
  expect(windowViolation({ startMs: 0, endMs: 30 * DAY_MS })).toBeUndefined();
});
