import { describe, expect, test } from "vitest";
import { utcText } from "../../../../lib/instant.ts";
import { parseMoment } from "../../../../ops/get/moment.ts";

const NOW = Date.parse("2026-11-28T12:00:00.250Z");

describe("a moment", () => {
  test.each([
    ["2026-11-01", "2026-11-01T00:00:00Z"],
    ["2026-11-01T10:00:00+02:00", "2026-11-01T08:00:00Z"],
    ["2026-11-01T10:00:00.123456Z", "2026-11-01T10:00:00.123456Z"],
    ["1795554000000", "2026-11-24T21:00:00.000Z"],
    ["12h", "2026-11-28T00:00:00.250Z"],
    ["30d", "2026-10-29T12:00:00.250Z"],
    ["1w", "2026-11-21T12:00:00.250Z"],
    ["99999w", "1970-01-01T00:00:00.000Z"],
  ])("%s is %s", (text, instant) => {
    expect(utcText(parseMoment(text, NOW))).toBe(instant);
  });

  test.each(["", "yesterday", "2026-02-30", "2026-11-01T10:00:00", "1795554000", "0d", "1y", "-1d"])(
    "%j is refused with the forms that are taken",
    (text) => {
      expect(() => parseMoment(text, NOW)).toThrow("Give a date such as");
    },
  );
});
