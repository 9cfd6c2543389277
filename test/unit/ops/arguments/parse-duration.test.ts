import { expect, test } from "vitest";
import { parseCount } from "../../../../ops/arguments/parse-count.ts";
import { parseDuration } from "../../../../ops/arguments/parse-duration.ts";

test.each([
  ["1ms", 1],
  ["500ms", 500],
  ["30s", 30_000],
  ["10m", 600_000],
  ["2h", 7_200_000],
])("%s is a length of time", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "30", "0s", "-1s", "1.5s", "1 s", "30S", "1d", "1234567s"])(
  "%j is not a length of time",
  (text) => {
    expect(() => parseDuration(text)).toThrow(RangeError);
  },
);

test.each([
  ["1", 1],
  ["999999", 999_999],
])("%s is a count", (text, count) => {
  expect(parseCount(text)).toBe(count);
});

test.each(["", "0", "01", "-1", "1.5", "1e3", "1000000"])("%j is not a count", (text) => {
  expect(() => parseCount(text)).toThrow(RangeError);
});
