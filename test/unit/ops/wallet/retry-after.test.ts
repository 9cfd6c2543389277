import { describe, expect, test } from "vitest";
import { retryAfterMs, waitMsAfter } from "../../../../ops/wallet/retry-after.ts";
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
    ["in no known form", { "retry-after": "soon" }, undefined],
  ])("%s", (_, headers, waitMs) => {
    expect(retryAfterMs({ headers, answeredAt: NOW })).toBe(waitMs);
  });

  test.each<[Record<string, string>, number]>([
    [{}, 5_000],
    [{ "retry-after": "0" }, 1_000],
    [{ "retry-after": "1" }, 1_000],
    [{ "retry-after": "2" }, 2_000],
  ])("and is waited out for a second at least: %o", (headers, waitMs) => {
    expect(waitMsAfter({ headers, answeredAt: NOW }, 5_000)).toBe(waitMs);
  });
});
