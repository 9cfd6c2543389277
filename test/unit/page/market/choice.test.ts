import { expect, test } from "vitest";
import { askedChoice, askingFor, firstChoice } from "../../../../page/src/market/choice.ts";

const first = firstChoice("BTC-USD");

test.each([
  [first, ""],
  [{ ...first, symbol: "A/B USD" }, "market=A%2FB+USD"],
  [{ symbol: "SOL-EUR", hours: 24, until: "2026-11-20" }, "market=SOL-EUR&hours=24&until=2026-11-20"],
])("%j is asked for by %j", (choice, query) => {
  expect(askingFor(choice, first)).toBe(query);
  expect(askedChoice(query, first)).toEqual(choice);
});

test.each(["hours=5", "hours=nothing", "hours=-1", "other=1"])("%s asks for the first choice", (query) => {
  expect(askedChoice(query, first)).toEqual(first);
});
