import { expect, test } from "vitest";
import { NameCounts, shownMarket } from "../../../../ops/import/name-counts.ts";

const countsOf = (...names: readonly string[]): NameCounts => {
  const counts = new NameCounts();
  for (const name of names) counts.add(name);
  return counts;
};

test("counts of nothing make no line", () => {
  expect(countsOf().describe("Passed over")).toEqual([]);
});

test("names come with the most frequent first, and those beyond six as a number", () => {
  expect(countsOf("b", "a", "b").describe("Passed over")).toEqual(["Passed over: 3 (b 2, a 1)"]);
  const names = Array.from({ length: 8 }, (_, n) => Array.from({ length: n + 1 }, () => `n${n}`)).flat();
  expect(countsOf(...names).describe("Passed over")).toEqual([
    "Passed over: 36 (n7 8, n6 7, n5 6, n4 5, n3 4, n2 3, 2 more)",
  ]);
});

test("every name of a file is counted, in no more memory than a thousand names take", () => {
  const names = Array.from({ length: 5_000 }, (_, n) => `n${n}`);
  expect(countsOf(...names).describe("Passed over")[0]).toMatch(/^Passed over: 5,000 \(others 4,000, /);
});

test.each([
  ["SKL-USD", "SKL-USD"],
  ["1000000PEPE-USD", "1000000PEPE-USD"],
  ["\u009b31m", '"\\u{9b}31m"'],
  ["4111111111111111", '"…"'],
  ["constructor", "constructor"],
])("a market or type that a file calls %j is shown as %s", (name, shown) => {
  expect(shownMarket(name)).toBe(shown);
});
