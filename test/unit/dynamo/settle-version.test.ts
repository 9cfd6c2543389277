import { describe, expect, test } from "vitest";
import { type Item, settle, type VersionedRecord } from "../../../lib/dynamo/settle-version.ts";

const itemOf = (version: string, doc = "x", more: Item = {}): Item => ({
  id: { S: "1" },
  version: { S: version },
  doc: { S: doc },
  ...more,
});
const recordOf = (item: Item, more: Partial<VersionedRecord> = {}): VersionedRecord => ({
  item,
  unusualAfter: () => undefined,
  ...more,
});
const stored = itemOf("2#1");

describe("a version, against the stored one,", () => {
  test.each([
    ["of an earlier instant is stale, whatever its rank", itemOf("1#9"), "stale"],
    ["of the same instant and a lower rank is stale", itemOf("2#0"), "stale"],
    ["of the same instant, rank and a lower text is stale", itemOf("2#1", "a"), "stale"],
    ["that is equal is unchanged", itemOf("2#1"), "unchanged"],
    ["of the same instant, rank and a higher text is written", itemOf("2#1", "y"), "written"],
    ["of the same instant and a higher rank is written", itemOf("2#2", "a"), "written"],
    ["of a later instant is written, whatever its rank", itemOf("3#0", "a"), "written"],
    [
      "that is later is written, whatever else differs",
      itemOf("3#0", "a", { created: { S: "9" } }),
      "written",
    ],
  ])("%s", (_what, item, outcome) =>
    expect(settle(stored, recordOf(item))).toEqual({
      outcome: { outcome },
      ...(outcome === "written" && { item }),
    }),
  );

  test("is written where nothing is stored", () =>
    expect(settle({}, recordOf(stored))).toEqual({ outcome: { outcome: "written" }, item: stored }));

  test("is called unusual, after what it follows, only when it is written", () => {
    const unusualAfter = (before?: Item) => `after ${before?.version?.S ?? "nothing"}`;
    const outcomeOf = (item: Item) => settle(stored, recordOf(item, { unusualAfter })).outcome;
    expect(outcomeOf(itemOf("3#0"))).toEqual({ outcome: "written", unusual: "after 2#1" });
    expect(outcomeOf(itemOf("2#1"))).toEqual({ outcome: "unchanged" });
    expect(outcomeOf(itemOf("1#0"))).toEqual({ outcome: "stale" });
    expect(settle({}, recordOf(stored, { unusualAfter })).outcome).toMatchObject({
      unusual: "after nothing",
    });
  });
});

describe("what is handed on", () => {
  const handed = { spelled: { S: "a" } };
  const handOn = (before: Item, given: Item): readonly [Item, Item] => [
    { ...before, ...handed },
    { ...given, ...handed },
  ];

  test("goes with the newer version, whichever that is", () => {
    expect(settle(stored, recordOf(itemOf("3#0"), { handOn })).item).toEqual(itemOf("3#0", "x", handed));
    expect(settle(stored, recordOf(itemOf("1#0"), { handOn }))).toEqual({
      outcome: { outcome: "stale" },
      item: itemOf("2#1", "x", handed),
    });
  });

  test("is a change by itself where the version is the stored one", () =>
    expect(settle(stored, recordOf(itemOf("2#1"), { handOn }))).toEqual({
      outcome: { outcome: "written" },
      item: itemOf("2#1", "x", handed),
    }));

  test("is left alone where the stored version has it", () => {
    const keep = (before: Item, given: Item): readonly [Item, Item] => [before, given];
    expect(settle(stored, recordOf(itemOf("1#0"), { handOn: keep }))).toEqual({
      outcome: { outcome: "stale" },
    });
  });
});
