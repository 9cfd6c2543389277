import { describe, expect, test } from "vitest";
import {
  epochMsOf,
  type Instant,
  instantOf,
  instantSlip,
  microsKey,
  parseDateOrInstant,
  parseInstant,
  utcText,
} from "../../lib/instant.ts";

const utc = (text: string) => {
  const instant = parseInstant(text);
  return instant && utcText(instant);
};
const micros = (text: string) => {
  const instant = parseDateOrInstant(text);
  return instant && microsKey(instant);
};

describe("a date and time with zone", () => {
  test.each([
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    ["2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00Z"],
    ["2026-01-01T02:00:00+02:00", "2026-01-01T00:00:00Z"],
    ["2025-12-31T18:30:00-05:30", "2026-01-01T00:00:00Z"],
    ["2026-01-01T00:00:00.120Z", "2026-01-01T00:00:00.120Z"],
    ["2026-01-01T02:00:00.123456789+02:00", "2026-01-01T00:00:00.123456789Z"],
    ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"],
    ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"],
  ])("%s is %s in UTC, with its digits", (text, expected) => expect(utc(text)).toBe(expected));

  test.each([
    ["without seconds", "2026-01-01T00:00Z"],
    ["without zone", "2026-01-01T00:00:00"],
    ["at hour 24", "2026-01-01T24:00:00Z"],
    ["in a leap second", "2016-12-31T23:59:60Z"],
    ["at minute 60", "2026-01-01T00:60:00Z"],
    ["on a day that the month has not", "2026-02-30T00:00:00Z"],
    ["on the 29th of February of another year", "2025-02-29T00:00:00Z"],
    ["in month 13", "2026-13-01T00:00:00Z"],
    ["on day 0", "2026-01-00T00:00:00Z"],
    ["with ten digits after the second", "2026-01-01T00:00:00.1234567890Z"],
    ["with a point and no digit", "2026-01-01T00:00:00.Z"],
    ["with a comma", "2026-01-01T00:00:00,5Z"],
    ["in lower case", "2026-01-01t00:00:00z"],
    ["with a space", "2026-01-01 00:00:00Z"],
    ["with an offset of unknown place", "2026-01-01T00:00:00-00:00"],
    ["with an offset of 24 hours", "2026-01-01T00:00:00+24:00"],
    ["with an offset without colon", "2026-01-01T00:00:00+0200"],
    ["before 1970", "1969-12-31T23:59:59Z"],
    ["before 1970 once it is in UTC", "1970-01-01T00:59:59+01:00"],
    ["of the year 10000 once it is in UTC", "9999-12-31T23:59:59-00:01"],
    ["with a five-digit year", "12026-01-01T00:00:00Z"],
    ["without time", "2026-01-01"],
    ["followed by a line end", "2026-01-01T00:00:00Z\n"],
    ["in digits of another script", "２０２６-01-01T00:00:00Z"],
  ])("is none %s", (_what, text) => expect(parseInstant(text)).toBeUndefined());
});

describe("a parameter", () => {
  test("may be a date, which is its first moment in UTC", () =>
    expect(micros("2026-01-02")).toBe(micros("2026-01-02T00:00:00Z")));

  test.each([
    ["2026-11-31", "there is no such day: 2026-11-31"],
    ["2026-02-29T00:00:00Z", "there is no such day: 2026-02-29"],
    ["1795554000000", "looks like epoch milliseconds; send 2026-11-24T21:00:00.000Z instead"],
    ["1795554000", "looks like epoch seconds; send 2026-11-24T21:00:00Z instead"],
    ["2026-11-30T00:00:00", "has no zone: add Z, or an offset such as +01:00"],
    ["2026-11-30T00:00:00.5", "has no zone: add Z, or an offset such as +01:00"],
    ["0001-01-01", "must not lie before 1970"],
    ["1969-12-31T23:59:59Z", "must not lie before 1970"],
    ["2026-11-30T00:00:00 01:00", undefined],
    ["179555400000", undefined],
    ["2026-11-31x", undefined],
    ["now", undefined],
  ])("that is %s has the slip: %s", (text, slip) => expect(instantSlip(text)).toBe(slip));

  test.each(["2026-02-29", "1969-12-31", "2026-1-2", "2026-01", "", "now"])("is not %s", (text) =>
    expect(parseDateOrInstant(text)).toBeUndefined(),
  );
});

describe("microseconds", () => {
  test("are 18 digits that sort as the instants do", () => {
    const texts = ["1970-01-01T00:00:00Z", "2026-01-01T01:00:00.000001+01:00", "9999-12-31T23:59:59.999999Z"];
    expect(texts.map(micros)).toEqual(["000000000000000000", "001767225600000001", "253402300799999999"]);
  });

  test("are cut off below, so that digits beyond make no difference", () =>
    expect(micros("2026-01-01T00:00:00.0000019Z")).toBe(micros("2026-01-01T00:00:00.000001Z")));

  test("of a clock's milliseconds are those of its text", () => {
    const now = Date.UTC(2026, 10, 24, 21, 0, 0, 7);
    expect(microsKey(instantOf(now))).toBe(micros(new Date(now).toISOString()));
  });
});

test("milliseconds are cut off below", () => {
  const texts = ["1970-01-01T00:00:00Z", "2026-11-24T21:00:00.5Z", "9999-12-31T23:59:59.999999Z"];
  const ends = [0, Date.UTC(2026, 10, 24, 21, 0, 0, 500), Date.UTC(10_000, 0) - 1];
  expect(texts.map((text) => epochMsOf(parseInstant(text) as Instant))).toEqual(ends);
});
