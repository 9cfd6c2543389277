import { describe, expect, test } from "vitest";
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
