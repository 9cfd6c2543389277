import { expect, test } from "vitest";
import { complaintOf, instantText, isAhead, isoText, untilMs } from "../../../../page/src/market/instants.ts";

const AT = Date.parse("2026-11-28T14:05:30.123Z");

test.each([
  [86_400_000, "2026-11-28"],
  [86_399_999, "2026-11-28T14:05Z"],
  [60_000, "2026-11-28T14:05Z"],
  [59_999, "2026-11-28T14:05:30Z"],
])("an instant of buckets of %d ms is written as exactly as they need, in UTC", (widthMs, text) => {
  expect(instantText(AT, widthMs)).toBe(text);
});

test("every form of an instant is one that programs read", () => {
  expect(isoText(AT)).toBe("2026-11-28T14:05:30Z");
  for (const widthMs of [1_000, 3_600_000, 86_400_000])
    expect(Number.isNaN(Date.parse(instantText(AT, widthMs)))).toBe(false);
});

test.each([
  ["", AT, false],
  [" 2026-11-20 ", Date.parse("2026-11-20T23:59:59.999Z"), false],
  ["2026-11-20T14:05Z", Date.parse("2026-11-20T14:05:00Z"), false],
  ["2026-11-28", AT, false],
  ["2026-11-29", AT, true],
  ["2030-01-01T00:00:00Z", AT, true],
  ["2026-13-01", undefined, false],
  ["2026-02-30", undefined, false],
  ["2026-11-3", undefined, false],
  ["yesterday", undefined, false],
])("%j means a day to its end, or an instant, and now at the latest", (text, atMs, isToCome) => {
  expect(untilMs(text, AT)).toBe(atMs);
  expect(isAhead(text, AT)).toBe(isToCome);
});

test.each([
  ["2026-02-30", "There is no such day: 2026-02-30."],
  ["2026-11-20T25:00Z", "There is no such time: 2026-11-20T25:00Z."],
  ["2026-11-3", "Type a day such as 2026-11-20, or 2026-11-20T14:05Z."],
])("of %j it is said what is wrong", (text, complaint) => {
  expect(complaintOf(text)).toBe(complaint);
});
