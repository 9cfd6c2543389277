import { describe, expect, test } from "vitest";
import { parseHttpDate } from "../../../../ops/wallet/http-date.ts";

const NOW = Date.UTC(2026, 10, 25);
const INSTANT = Date.UTC(2026, 10, 8, 6, 5, 59);

describe("a date of HTTP", () => {
  test.each(["Sun, 08 Nov 2026 06:05:59 GMT", "Sunday, 08-Nov-26 06:05:59 GMT", "Sun Nov  8 06:05:59 2026"])(
    "is read in each of its three forms: %s",
    (text) => {
      expect(parseHttpDate(text, NOW)).toBe(INSTANT);
    },
  );

  test.each([
    ["Sunday, 06-Nov-94 08:49:37 GMT", 1994],
    ["Wednesday, 25-Nov-76 00:00:00 GMT", 2076],
    ["Wednesday, 25-Nov-76 00:00:01 GMT", 1976],
    ["Saturday, 01-Jan-00 00:00:00 GMT", 2000],
  ])("with two digits of a year is at most fifty years ahead: %s", (text, year) => {
    expect(new Date(parseHttpDate(text, NOW) ?? Number.NaN).getUTCFullYear()).toBe(year);
  });

  test("with two digits of a year may belong to the next century", () => {
    const nearlyThen = Date.UTC(2099, 11, 31);
    expect(parseHttpDate("Friday, 01-Jan-00 00:00:00 GMT", nearlyThen)).toBe(Date.UTC(2100, 0, 1));
  });

  test("may have a leap second, which counts as the next second", () => {
    expect(parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT", NOW)).toBe(Date.UTC(2017, 0, 1));
  });

  test.each([
    "",
    "soon",
    "2026-11-08T06:05:59Z",
    "Sun, 8 Nov 2026 06:05:59 GMT",
    "Sun, 08 Nov 2026 06:05:59",
    "Sun, 08 Nov 2026 06:05:59 CET",
    "Sun, 08 Nov 26 06:05:59 GMT",
    "sun, 08 nov 2026 06:05:59 gmt",
    "Sun, 08-Nov-26 06:05:59 GMT",
    "Sunday, 08-Nov-2026 06:05:59 GMT",
    "Sun Nov 8 06:05:59 2026",
    "Sun Nov  8 06:05:59 2026 GMT",
    "Mon, 31 Nov 2026 06:05:59 GMT",
    "Sun, 00 Nov 2026 06:05:59 GMT",
    "Sun, 29 Feb 2026 06:05:59 GMT",
    "Sun, 08 Nov 2026 24:00:00 GMT",
    "Sun, 08 Nov 2026 06:60:00 GMT",
    "Sun, 08 Nov 2026 06:05:61 GMT",
  ])("has no other form: %j", (text) => {
    expect(parseHttpDate(text, NOW)).toBeUndefined();
  });
});
