import { describe, expect, test } from "vitest";
import { type FailedAttempt, RetryPolicy } from "../../../client/src/retry.ts";
import { retryAfterMs } from "../../../client/src/told-wait.ts";

const DATE = "Wed, 01 Jan 2020 00:00:00 GMT";
const NOW = 1_795_554_000_000;

describe("a Retry-After", () => {
  const told = (headers: Record<string, string>, retryAfterUnit: "milliseconds" | "seconds" = "seconds") =>
    retryAfterMs(new Headers(headers), { retryAfterUnit, now: NOW });

  test("counts milliseconds on the exchange and seconds elsewhere", () => {
    expect(told({ "Retry-After": "127" }, "milliseconds")).toBe(127);
    expect(told({ "Retry-After": "2" })).toBe(2_000);
    expect(told({ "Retry-After": "0" })).toBe(0);
  });

  test("may be a date, which counts from the answer's own", () => {
    const until = "Wed, 01 Jan 2020 00:00:30 GMT";
    expect(told({ "Retry-After": until, Date: DATE })).toBe(30_000);
    expect(told({ "Retry-After": until, Date: DATE }, "milliseconds")).toBe(30_000);
    expect(told({ "Retry-After": DATE, Date: until })).toBe(0);
    for (const old of ["Wednesday, 01-Jan-20 00:00:30 GMT", "Wed Jan  1 00:00:30 2020"])
      expect(told({ "Retry-After": old, Date: DATE })).toBe(30_000);
    expect(told({ "Retry-After": new Date(NOW + 5_000).toUTCString() })).toBe(5_000);
  });

  test("counts a part of a unit as a whole one", () => {
    expect(told({ "Retry-After": "2.5" })).toBe(3_000);
    expect(told({ "Retry-After": "0.001" })).toBe(1_000);
    expect(told({ "Retry-After": "1.5" }, "milliseconds")).toBe(2);
  });

  test("is no longer than a timer takes, which would fire at once", () => {
    for (const text of ["99999999999999", "9".repeat(400), "2147484", "Fri, 31 Dec 9999 23:59:59 GMT"])
      expect(told({ "Retry-After": text })).toBe(2 ** 31 - 1);
  });

  test("counts from the client's clock where the answer's own date is none", () => {
    const until = new Date(NOW + 5_000).toUTCString();
    expect(told({ "Retry-After": until, Date: "today" })).toBe(5_000);
  });

  test.each<Record<string, string>>([
    {},
    { "Retry-After": "soon" },
    { "Retry-After": "-1", Date: DATE },
    { "Retry-After": "1.5s" },
    { "Retry-After": "1e3" },
    { "Retry-After": "2." },
    { "Retry-After": "3, 3" },
  ])("%j says nothing", (headers) => expect(told(headers)).toBeUndefined());
});

describe("a repetition", () => {
  const attempt = (changes: Partial<FailedAttempt> = {}): FailedAttempt => ({
    failures: 1,
    elapsedMs: 0,
    toldMs: undefined,
    isLimited: false,
    ...changes,
  });
  const at = (random: number, options = {}) => new RetryPolicy(options, () => random);

  test("waits a time that doubles, up to the longest, and up to half as long again", () => {
    const waitsAt = (random: number) => {
      const policy = at(random, { attemptsMax: 99, totalMs: 1e9 });
      return [1, 2, 3, 7, 8, 20].map((failures) => policy.waitMs(attempt({ failures })));
    };
    expect(waitsAt(0)).toEqual([250, 500, 1_000, 16_000, 30_000, 30_000]);
    expect(waitsAt(1 - 1e-9)).toEqual([375, 750, 1_500, 24_000, 45_000, 45_000]);
  });

  test("after the first refusal by a limit waits exactly as told, and never less later", () => {
    expect(at(0.9).waitMs(attempt({ isLimited: true, toldMs: 37 }))).toBe(37);
    expect(at(0.5).waitMs(attempt({ isLimited: true, toldMs: 37, failures: 2 }))).toBe(625);
    expect(at(0.5).waitMs(attempt({ isLimited: true, toldMs: 626, failures: 2 }))).toBe(626);
    expect(at(0.5).waitMs(attempt({ isLimited: true }))).toBe(313);
  });

  test("after another failure waits at least as told, and longer each time", () => {
    const waits = (random: number, toldMs: number) =>
      [1, 2, 3].map((failures) => at(random, { totalMs: 1e9 }).waitMs(attempt({ failures, toldMs })));
    expect(waits(0, 1_000)).toEqual([1_000, 2_000, 4_000]);
    expect(waits(0.5, 1_000)).toEqual([1_250, 2_500, 5_000]);
    expect(waits(0, 1)).toEqual([250, 500, 1_000]);
    expect(waits(0, 40_000)).toEqual([40_000, 40_000, 40_000]);
    expect(waits(0.5, 40_000)).toEqual([50_000, 50_000, 50_000]);
  });

  test("ends when enough attempts have failed, but not for refusals by a limit", () => {
    const policy = at(0, { attemptsMax: 3 });
    expect(policy.waitMs(attempt({ failures: 2 }))).toBe(500);
    expect(policy.waitMs(attempt({ failures: 3 }))).toBeUndefined();
    expect(policy.waitMs(attempt({ failures: 3, isLimited: true }))).toBe(1_000);
  });

  test("ends when it would begin after the longest time", () => {
    const policy = at(0, { totalMs: 1_000 });
    expect(policy.waitMs(attempt({ elapsedMs: 900, toldMs: 100, isLimited: true }))).toBe(100);
    expect(policy.waitMs(attempt({ elapsedMs: 900, toldMs: 101, isLimited: true }))).toBeUndefined();
  });
});
