import { describe, expect, test } from "vitest";
import { instantViolation, isAncient } from "../../../lib/trades/instant-sense.ts";
import { INSTANT_MAX_MS } from "../../../lib/trades/trade.ts";
import { DAY_MS, NOW, trade } from "../../support/trades.ts";

const violationOf = (tradedAt: number, publishedAt = tradedAt) =>
  instantViolation(trade(1, tradedAt, { publishedAt }), NOW);

describe("a trade of the future", () => {
  test("is refused from more than a day ahead on", () => {
    expect(violationOf(NOW + DAY_MS)).toBeUndefined();
    expect(violationOf(NOW + DAY_MS + 1)).toBe(
      "tdt must not lie more than a day ahead of the clock: epoch milliseconds are meant",
    );
  });

  test.each([
    [1_583_020_803_145_000, "microseconds"],
    [Date.UTC(2009, 0, 1) * 1_000, "microseconds"],
    [(NOW + DAY_MS) * 1_000, "microseconds"],
  ])("of %d is said to be in %s", (tradedAt, unit) => {
    expect(violationOf(tradedAt)).toContain(`these look like ${unit}`);
  });

  test.each([Date.UTC(2009, 0, 1) * 1_000 - 1, (NOW + DAY_MS) * 1_000 + 1_000, INSTANT_MAX_MS])(
    "of %d is in no unit that can be told",
    (tradedAt) => {
      expect(violationOf(tradedAt)).toMatch(/epoch milliseconds are meant$/);
    },
  );

  test("may be published later, but not in another unit", () => {
    expect(violationOf(NOW, NOW + 366 * DAY_MS)).toBeUndefined();
    expect(violationOf(NOW, NOW + 366 * DAY_MS + 1)).toMatch(/^pdt must not lie more than a year ahead/);
    expect(violationOf(NOW, NOW * 1_000)).toContain("these look like microseconds");
  });
});

test("a trade before 2009 is worth a remark, whichever of its instants lies there", () => {
  const start = Date.UTC(2009, 0, 1);
  expect(isAncient(trade(1, start))).toBe(false);
  expect(isAncient(trade(1, start - 1))).toBe(true);
  expect(isAncient(trade(1, 0))).toBe(true);
  expect(isAncient(trade(1, NOW, { publishedAt: NOW / 1_000 }))).toBe(true);
});
