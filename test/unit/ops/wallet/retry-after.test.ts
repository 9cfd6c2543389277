import { describe, expect, test } from "vitest";
import { parseHttpDate } from "../../../../ops/wallet/http-date.ts";
import { readRetryAfter, waitMsAfter } from "../../../../ops/wallet/retry-after.ts";
import { NOW } from "../../../support/chain.ts";
import { asctimeText, rfc850Text } from "../../../support/http-dates.ts";

const text = (instant: number): string => new Date(instant).toUTCString();
const HOUR_MS = 3_600_000;

describe("a Retry-After is a wait", () => {
  test.each<[string, Record<string, string>, number | undefined]>([
    ["in seconds", { "retry-after": "7" }, 7_000],
    ["in seconds, whatever time it is", { "retry-after": "7", date: text(NOW - HOUR_MS) }, 7_000],
    ["of nothing", { "retry-after": "0" }, 0],
    ["until a date, from when the answer came", { "retry-after": text(NOW + 7_000) }, 7_000],
    ["that is over", { "retry-after": text(NOW - 1_000) }, 0],
    [
      "until a date, from the answer's own by a clock that is behind",
      { "retry-after": text(NOW - HOUR_MS + 7_000), date: text(NOW - HOUR_MS) },
      7_000,
    ],
    [
      "until a date, from the answer's own by a clock that is ahead",
      { "retry-after": text(NOW + HOUR_MS + 7_000), date: text(NOW + HOUR_MS) },
      7_000,
    ],
    [
      "until a date of another form",
      { "retry-after": rfc850Text(NOW + HOUR_MS), date: asctimeText(NOW) },
      HOUR_MS,
    ],
    [
      "that is over by the answer's own clock",
      { "retry-after": text(NOW + 5_000), date: text(NOW + 5_000) },
      0,
    ],
    ["until a date, where Date is none", { "retry-after": text(NOW + 7_000), date: "today" }, 7_000],
    [
      "until a date, where Date is said twice",
      { "retry-after": text(NOW + 7_000), date: `${text(NOW)}, ${text(NOW)}` },
      7_000,
    ],
    ["that is absent", {}, undefined],
  ])("%s", (_, headers, waitMs) => {
    const told = readRetryAfter({ headers, answeredAt: NOW });
    expect([told?.ms, told?.fault]).toEqual([waitMs, undefined]);
  });

  test.each<[string, string, number | undefined]>([
    ["0.5", "a fraction", 1_000],
    ["2.5", "a fraction", 3_000],
    [".000", "a fraction", 0],
    ["7.", "a fraction", 7_000],
    ["9999999999.5", "a fraction", 999_999_999_000],
    ["1000000000", "more than nine digits", 999_999_999_000],
    ["9".repeat(400), "more than nine digits", 999_999_999_000],
    ["0000000007", "more than nine digits", 7_000],
    ["-5", "negative", undefined],
    ["- 0.5", "negative", undefined],
    ["+5", "a number with a sign", undefined],
    ["5, 7", "more than one number", undefined],
    ["1,5", "more than one number", undefined],
    ["", "empty", undefined],
    ["soon", "neither whole seconds nor a date of HTTP", undefined],
    ["5s", "neither whole seconds nor a date of HTTP", undefined],
    ["5 seconds", "neither whole seconds nor a date of HTTP", undefined],
    ["1e3", "neither whole seconds nor a date of HTTP", undefined],
    ["0x10", "neither whole seconds nor a date of HTTP", undefined],
    ["1.2.3", "neither whole seconds nor a date of HTTP", undefined],
    ["\u0665", "neither whole seconds nor a date of HTTP", undefined],
    ["2026-11-29T00:00:00Z", "neither whole seconds nor a date of HTTP", undefined],
    ["Sun, 31 Nov 2026 00:00:00 GMT", "neither whole seconds nor a date of HTTP", undefined],
  ])("in a form that is not HTTP's, by name: %j is %s, and a wait of %s ms", (text, fault, waitMs) => {
    const told = readRetryAfter({ headers: { "retry-after": text }, answeredAt: NOW });
    expect([told?.fault, told?.ms]).toEqual([fault, waitMs]);
  });

  test.each<[Record<string, string>, number]>([
    [{}, 5_000],
    [{ "retry-after": "0" }, 1_000],
    [{ "retry-after": "1" }, 1_000],
    [{ "retry-after": "2" }, 2_000],
    [{ "retry-after": "1.2" }, 2_000],
    [{ "retry-after": "-7" }, 5_000],
  ])("and is waited out for a second at least: %o", (headers, waitMs) => {
    expect(waitMsAfter({ headers, answeredAt: NOW }, 5_000)).toBe(waitMs);
  });
});

const TODAY = Date.UTC(2026, 10, 25);
const INSTANT = Date.UTC(2026, 10, 8, 6, 5, 59);

describe("a date of HTTP", () => {
  test.each(["Sun, 08 Nov 2026 06:05:59 GMT", "Sunday, 08-Nov-26 06:05:59 GMT", "Sun Nov  8 06:05:59 2026"])(
    "is read in each of its three forms: %s",
    (text) => {
      expect(parseHttpDate(text, TODAY)).toBe(INSTANT);
    },
  );

  test.each([
    ["Sunday, 06-Nov-94 08:49:37 GMT", 1994],
    ["Wednesday, 25-Nov-76 00:00:00 GMT", 2076],
    ["Wednesday, 25-Nov-76 00:00:01 GMT", 1976],
    ["Saturday, 01-Jan-00 00:00:00 GMT", 2000],
  ])("with two digits of a year is at most fifty years ahead: %s", (text, year) => {
    expect(new Date(parseHttpDate(text, TODAY) ?? Number.NaN).getUTCFullYear()).toBe(year);
  });

  test("with two digits of a year may belong to the next century", () => {
    const nearlyThen = Date.UTC(2099, 11, 31);
    expect(parseHttpDate("Friday, 01-Jan-00 00:00:00 GMT", nearlyThen)).toBe(Date.UTC(2100, 0, 1));
  });

  test("may have a leap second, which counts as the next second", () => {
    expect(parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT", TODAY)).toBe(Date.UTC(2017, 0, 1));
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
    expect(parseHttpDate(text, TODAY)).toBeUndefined();
  });
});
