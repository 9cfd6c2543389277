import { describe, expect, test } from "vitest";
import { parseExpiry } from "../../../../ops/arguments/parse-expiry.ts";

const NOW = Date.UTC(2026, 10, 24, 21);
const HOUR_MS = 3_600_000;

describe("when a key expires", () => {
  test.each([
    ["1h", HOUR_MS],
    ["90d", 90 * 24 * HOUR_MS],
    ["6w", 42 * 24 * HOUR_MS],
    ["1y", 365 * 24 * HOUR_MS],
  ])("%s is a span from now", (text, spanMs) => {
    expect(parseExpiry(text, NOW)).toBe(NOW + spanMs);
  });

  test.each([
    ["2027-01-31", Date.UTC(2027, 0, 31)],
    ["2028-02-29", Date.UTC(2028, 1, 29)],
    ["2027-01-31T12:30:00Z", Date.UTC(2027, 0, 31, 12, 30)],
    ["2027-01-31T12:30:15.250+02:00", Date.UTC(2027, 0, 31, 10, 30, 15, 250)],
  ])("%s is that instant", (text, instant) => {
    expect(parseExpiry(text, NOW)).toBe(instant);
  });

  test.each([
    "",
    "90",
    "0d",
    "-1d",
    "1.5d",
    "d",
    "90 d",
    "90D",
    "100000d",
    "tomorrow",
    "2027-1-31",
    "31.01.2027",
    "2027-01-31T25:00:00Z",
  ])("%j is refused", (text) => {
    expect(() => parseExpiry(text, NOW)).toThrow(
      /^Give a span such as 90d, a date such as 2027-01-31, or a date-time such as/,
    );
  });

  test.each([
    ["2027-02-30", "There is no such day: 2027-02-30."],
    ["2027-13-01T12:00:00Z", "There is no such day: 2027-13-01."],
    ["2027-01-31T12:30:00", "Has no zone: add Z, or an offset such as +01:00."],
    ["1800000000000", "Looks like epoch milliseconds; send 2027-01-15T08:00:00.000Z instead."],
  ])("%j is refused by its slip", (text, message) => {
    expect(() => parseExpiry(text, NOW)).toThrow(new RangeError(message));
  });

  test("must be later than now", () => {
    expect(() => parseExpiry("2026-11-24T21:00:00Z", NOW)).toThrow("It must lie in the future.");
    expect(parseExpiry("2026-11-24T21:00:00.001Z", NOW)).toBe(NOW + 1);
    expect(() => parseExpiry("2020-01-01", NOW)).toThrow("It must lie in the future.");
  });
});
