import { describe, expect, test } from "vitest";
import { explainFreshness, judgeFreshness } from "../../../lib/signature/freshness.ts";
import { defaultFreshness, freshnessOf } from "../../../lib/signature/settings.ts";
import { NOW } from "../../support/chain.ts";

const judge = (timestamp: string, limits = defaultFreshness) => judgeFreshness(timestamp, NOW, limits);

describe("a timestamp is judged on both sides, both edges accepted", () => {
  test.each([
    [0, "fresh"],
    [-30_000, "fresh"],
    [-30_001, "stale"],
    [5_000, "fresh"],
    [5_001, "ahead"],
    [365 * 86_400_000, "ahead"],
    [-365 * 86_400_000, "stale"],
  ])("%i ms from the server's time: %s", (offset, verdict) => {
    expect(judge(String(NOW + offset))).toEqual({ verdict, differenceMs: 0 - offset });
  });

  test("the limits are settings", () => {
    const limits = freshnessOf({ SIGNATURE_AGE_MS_MAX: 100, SIGNATURE_AHEAD_MS_MAX: 10 });
    expect(judge(String(NOW - 100), limits).verdict).toBe("fresh");
    expect(judge(String(NOW - 101), limits).verdict).toBe("stale");
    expect(judge(String(NOW + 10), limits).verdict).toBe("fresh");
    expect(judge(String(NOW + 11), limits).verdict).toBe("ahead");
  });
});

describe("a timestamp has one spelling", () => {
  test.each([
    ["seconds", String(NOW / 1000)],
    ["microseconds", `${NOW}000`],
    ["a leading zero", `0${NOW}`.slice(0, 13)],
    ["a sign", `+${NOW}`],
    ["a fraction", `${NOW}.0`],
    ["an exponent", "1.795554e12"],
    ["a space", ` ${NOW}`],
    ["a line end", `${NOW}\n`],
    ["two joined by a comma", `${NOW},${NOW}`],
    ["other digits", "١٧٩٥٥٥٤٠٠٠٠٠٠"],
    ["nothing", ""],
  ])("%s: malformed", (_, timestamp) => {
    expect(judge(timestamp)).toEqual({ verdict: "malformed" });
  });
});

describe("the explanation", () => {
  const explain = (timestamp: string) =>
    explainFreshness("X-Timestamp", judge(timestamp), NOW, defaultFreshness);

  test("names the header, the difference, the server's time and the limit", () => {
    expect(explain(String(NOW - 42_000))).toBe(
      `X-Timestamp: is 42000 ms behind the server's time, ${NOW}; at most 30000 ms is accepted.`,
    );
    expect(explain(String(NOW + 6_000))).toBe(
      `X-Timestamp: the timestamp is in the future: 6000 ms ahead of the server's time, ${NOW}; at most 5000 ms is accepted.`,
    );
  });

  test("of a malformed one says what it must be and the server's time, and does not repeat it", () => {
    expect(explain("secret-thing")).toMatch(/milliseconds, 13 digits/);
    expect(explain("secret-thing")).toContain(String(NOW));
    expect(explain("secret-thing")).not.toContain("secret");
  });
});
