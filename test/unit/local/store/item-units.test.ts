import { describe, expect, test } from "vitest";
import { entryOf, entryWrites, writeUnits } from "../../../../local/store/behaviour/item-units.ts";
import type { IndexShape } from "../../../../local/store/table-shape.ts";

const sized = (bytes: number) => ({ id: { S: "x".repeat(bytes - 2) } });

describe("the units of a write", () => {
  test.each([
    [[sized(1_024)], 1],
    [[sized(1_025)], 2],
    [[sized(1_025), sized(10)], 2],
    [[sized(10), sized(1_025)], 2],
    [[undefined, undefined], 1],
  ])("case %#", (images, units) => {
    expect(writeUnits(...images)).toBe(units);
  });
});

const index = (projects: IndexShape["projects"]): IndexShape => ({
  name: "by-colour",
  partition: { name: "colour", type: "S" },
  sort: undefined,
  projects,
  projectionType: projects === "all" ? "ALL" : "INCLUDE",
});
const red = { id: { S: "a" }, colour: { S: "red" }, note: { S: "x" } };
const blue = { ...red, colour: { S: "blue" } };
const colourless = { id: { S: "a" }, note: { S: "x" } };

describe("the writes of an index", () => {
  const writes = (before: object | undefined, after: object | undefined) =>
    entryWrites(index("all"), before as typeof red, after as typeof red);

  test.each([
    ["an entry that is added", undefined, red, [{ entry: red, units: 1 }]],
    ["an entry that is removed with its item", red, undefined, [{ entry: red, units: 1 }]],
    [
      "an entry that is removed because the item loses the index's key",
      red,
      colourless,
      [{ entry: red, units: 1 }],
    ],
    ["an entry that stays the same", red, { note: red.note, colour: red.colour, id: red.id }, []],
    [
      "an entry that changes",
      red,
      { ...red, note: { S: "y" } },
      [{ entry: { ...red, note: { S: "y" } }, units: 1 }],
    ],
    [
      "an entry whose key changes",
      red,
      blue,
      [
        { entry: red, units: 1 },
        { entry: blue, units: 1 },
      ],
    ],
    ["an item that never had an entry", colourless, undefined, []],
  ])("%s", (_, before, after, expected) => {
    expect(writes(before, after)).toEqual(expected);
  });

  test("a change of an attribute that is not projected needs no write", () => {
    const keys = index(new Set(["id", "colour"]));
    expect(entryWrites(keys, red, { ...red, note: { S: "y" } })).toEqual([]);
    expect(entryOf(keys, red)).toEqual({ id: red.id, colour: red.colour });
  });
});
