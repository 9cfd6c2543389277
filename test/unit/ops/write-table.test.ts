import { expect, test } from "vitest";
import { tableText } from "../../../ops/write-table.ts";

test("a table's columns are as wide as their widest cell, and lines end with their text", () => {
  expect(
    tableText([
      ["A", "LONGER", "C"],
      ["aaa", "b", "c"],
      ["a", "b", ""],
    ]),
  ).toBe("A    LONGER  C\naaa  b       c\na    b");
  expect(tableText([])).toBe("");
});
