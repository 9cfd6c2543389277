import { describe, expect, test } from "vitest";
import type { Trade } from "../../../client/src/index.ts";
import { newTrades, positionAfter } from "../../../client/src/trade-position.ts";

const trade = (tdt: number, tid: string) => ({ tdt, tid }) as Trade;

describe("a position", () => {
  const begin = { untilMs: 9, given: ["x"] };

  test("is the last instant that was reached, and the ids given of that instant alone", () => {
    const trades = [trade(9, "a"), trade(5, "b"), trade(3, "c"), trade(3, "d")];
    expect(positionAfter(begin, trades)).toEqual({ untilMs: 3, given: ["c", "d"] });
    expect(positionAfter(begin, trades.slice(0, 2))).toEqual({ untilMs: 5, given: ["b"] });
  });

  test("keeps the ids of its instant while no other is reached", () => {
    expect(positionAfter(begin, [trade(9, "a"), trade(9, "b")])).toEqual({
      untilMs: 9,
      given: ["x", "a", "b"],
    });
    expect(positionAfter(begin, [])).toBe(begin);
  });

  test("leaves out what was given, and no trade of another instant with the same id", () => {
    const trades = [trade(9, "x"), trade(9, "a"), trade(5, "x")];
    expect(newTrades(begin, trades)).toEqual([trade(9, "a"), trade(5, "x")]);
    expect(newTrades({ untilMs: 9, given: [] }, trades)).toEqual(trades);
  });
});
