import { describe, expect, test } from "vitest";
import { INSTANT_MAX_MS, isInstant, placeText, type Trade } from "../../../lib/trades/trade.ts";
import { PUBLICATION_APART_MAX_MS, tradeViolation } from "../../../lib/trades/trade-rules.ts";
import { NOW, trade } from "../../support/trades.ts";

describe("a trade that breaks a rule is told the member and the rule", () => {
  const instantRule = `must be whole epoch milliseconds from 0 to ${INSTANT_MAX_MS}`;
  const idRule = "tid must be 32 lower-case hex digits";
  test.each<[string, Partial<Trade>, string | undefined]>([
    ["nothing wrong", {}, undefined],
    ["no side", { side: undefined as never }, undefined],
    ["an instant before the epoch", { tradedAt: -1 }, `tdt ${instantRule}`],
    ["half a millisecond", { tradedAt: 0.5 }, `tdt ${instantRule}`],
    ["a publication beyond every date", { publishedAt: INSTANT_MAX_MS + 1 }, `pdt ${instantRule}`],
    [
      "a publication too far from the trade",
      { tradedAt: 0, publishedAt: PUBLICATION_APART_MAX_MS + 1 },
      `pdt must lie within ${PUBLICATION_APART_MAX_MS} ms of tdt`,
    ],
    ["an id in capitals", { id: "A".repeat(32) }, idRule],
    ["an id of 31 digits", { id: "a".repeat(31) }, idRule],
    ["an id of 33 digits", { id: "a".repeat(33) }, idRule],
    ["an id with something before it", { id: `x${"a".repeat(32)}` }, idRule],
    ["a negative price", { price: "-1" }, "p must not be negative: the side of a trade has its own member"],
    ["a quantity of too many digits", { quantity: "1".repeat(39) }, "q must have 38 digits at most"],
    ["another side", { side: "BUY" as never }, "s must be buy or sell"],
    ["a side that every object has", { side: "constructor" as never }, "s must be buy or sell"],
  ])("%s", (_, changes, violation) => expect(tradeViolation(trade(1, NOW, changes))).toBe(violation));
});

test("instants are whole milliseconds from the epoch to the last one that a date has", () => {
  expect([0, 1, INSTANT_MAX_MS].map(isInstant)).toEqual([true, true, true]);
  for (const value of [-1, 0.5, INSTANT_MAX_MS + 1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(isInstant(value)).toBe(false);
});

test("a place has a text of its own", () =>
  expect(placeText({ tradedAt: NOW, id: "a".repeat(32) })).toBe(`${NOW}/${"a".repeat(32)}`));
