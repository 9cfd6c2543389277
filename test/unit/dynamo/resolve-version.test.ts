import { describe, expect, test } from "vitest";
import { versionIdentity } from "../../../lib/corrections.ts";
import type { Item } from "../../../lib/dynamo/item.ts";
import {
  type RecordVersion,
  resolveVersion,
  type SharedAttribute,
  type VersionedRecord,
} from "../../../lib/dynamo/resolve-version.ts";

const itemOf = (version: string, doc = "x", more: Item = {}): Item => ({
  id: { S: "1" },
  version: { S: version },
  doc: { S: doc },
  ...more,
});
const recordOf = (item: Item, more: Partial<RecordVersion> = {}): VersionedRecord => ({
  key: ["id"],
  item,
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
    expect(resolveVersion(stored, recordOf(item))).toEqual({
      outcome: { outcome },
      ...(outcome === "written" && { item }),
    }),
  );

  test("is written where nothing is stored", () =>
    expect(resolveVersion({}, recordOf(stored))).toStrictEqual({
      outcome: { outcome: "written" },
      item: stored,
    }));

  test("is compared with the version before it, and called unusual, only when it is written", () => {
    const unusualAfter = (before?: Item) => `after ${before?.version?.S ?? "nothing"}`;
    const outcomeOf = (item: Item) => resolveVersion(stored, recordOf(item, { unusualAfter })).outcome;
    expect(outcomeOf(itemOf("3#0"))).toEqual({ outcome: "written", unusual: "after 2#1" });
    expect(outcomeOf(itemOf("2#1"))).toEqual({ outcome: "unchanged" });
    expect(outcomeOf(itemOf("1#0"))).toEqual({ outcome: "stale" });
    expect(resolveVersion({}, recordOf(stored, { unusualAfter })).outcome).toMatchObject({
      unusual: "after nothing",
    });
  });
});

describe("a shared attribute", () => {
  const handed = { spelled: { S: "a" } };
  const sharedBy = (handOn: SharedAttribute["handOn"]) => ({
    shared: { name: "spelled", handOn, isKept: false },
  });
  const shared = sharedBy((before, given) => [
    { ...before, ...handed },
    { ...given, ...handed },
  ]);

  test("goes with the newer version, whichever that is", () => {
    expect(resolveVersion(stored, recordOf(itemOf("3#0"), shared)).item).toEqual(itemOf("3#0", "x", handed));
    expect(resolveVersion(stored, recordOf(itemOf("1#0"), shared))).toEqual({
      outcome: { outcome: "stale" },
      item: itemOf("2#1", "x", handed),
    });
  });

  test("is a change by itself when the version is the stored one, if readers see it", () => {
    expect(resolveVersion(stored, recordOf(itemOf("2#1"), shared))).toEqual({
      outcome: { outcome: "unchanged" },
      item: itemOf("2#1", "x", handed),
    });
    const seen = { ...handed, doc: { S: "a" } };
    const respelled = sharedBy((before, given) => [
      { ...before, ...seen },
      { ...given, ...seen },
    ]);
    const corrections = { S: "[]" };
    expect(resolveVersion({ ...stored, corrections }, recordOf(itemOf("2#1"), respelled))).toEqual({
      outcome: { outcome: "written" },
      item: { ...itemOf("2#1", "a", handed), corrections },
    });
  });

  test("is left alone when the stored version has it already", () => {
    const keep = sharedBy((before, given) => [before, given]);
    expect(resolveVersion(stored, recordOf(itemOf("1#0"), keep))).toEqual({
      outcome: { outcome: "stale" },
    });
  });
});

describe("a correction", () => {
  const order = { at: Date.parse("2026-11-28T12:00:00Z"), reason: "a wrong clock" };
  const wrong = itemOf("253402300799999999#2", '{"id":"x","says":"wrong"}');
  const right = itemOf("001772359200000000#1", '{"id":"x","says":"right"}');
  const later = itemOf("001772359200000001#1", '{"id":"x","says":"later"}');
  const correct = (before: Item, item: Item, unusual?: string) =>
    resolveVersion(before, recordOf(item, { unusualAfter: () => unusual }), order);
  const corrected = correct(wrong, right).item ?? {};

  test("puts an older version in place of a newer one, and reports the replaced version and what is unusual", () => {
    expect(correct(wrong, right, "state completed → pending").outcome).toEqual({
      outcome: "corrected",
      replaced: "replaces the version of 9999-12-31T23:59:59.999999Z; state completed → pending",
    });
    expect(corrected).toMatchObject(right);
  });

  test("leaves a trace of when, why, and what was replaced by what", () => {
    const trace = JSON.parse(corrected.corrections?.S ?? "null");
    expect(trace).toEqual([
      {
        at: "2026-11-28T12:00:00.000Z",
        replaced: versionIdentity("253402300799999999#2", ',"says":"wrong"}'),
        by: versionIdentity("001772359200000000#1", ',"says":"right"}'),
        reason: "a wrong clock",
      },
    ]);
  });

  test("does not count as one when nothing newer is stored", () => {
    expect(correct({}, right).outcome).toEqual({ outcome: "written" });
    expect(correct(right, later)).toEqual({ outcome: { outcome: "written" }, item: later });
    expect(correct(right, right)).toEqual({ outcome: { outcome: "unchanged" } });
  });

  test("keeps out the replaced version when it comes again, and nothing else", () => {
    expect(resolveVersion(corrected, recordOf(wrong))).toEqual({ outcome: { outcome: "stale" } });
    const { outcome, item } = resolveVersion(corrected, recordOf(later));
    expect(outcome).toEqual({ outcome: "written" });
    expect(item).toEqual({ ...later, corrections: corrected.corrections });
    const alike = itemOf("253402300799999999#2", '{"id":"x","says":"not so wrong"}');
    expect(resolveVersion(corrected, recordOf(alike)).outcome).toEqual({ outcome: "written" });
  });

  test("keeps out the replaced version whatever the spelling of its id, which comes first in its text", () => {
    const version = "253402300799999999#2";
    expect(
      resolveVersion(corrected, recordOf(itemOf(version, '{"id":"Another","says":"wrong"}'))).outcome,
    ).toEqual({ outcome: "stale" });
    const inner = (id: string) => itemOf(version, `{"of":{"id":"${id}"}}`);
    const { item = {} } = correct(inner("x"), right);
    expect(resolveVersion(item, recordOf(inner("x"))).outcome).toEqual({ outcome: "stale" });
    expect(resolveVersion(item, recordOf(inner("y"))).outcome).toEqual({ outcome: "written" });
  });

  test("is taken back by another one", () => {
    const { outcome, item } = correct(corrected, wrong);
    expect(outcome).toMatchObject({ outcome: "corrected" });
    expect(item).toMatchObject(wrong);
    expect(resolveVersion(item ?? {}, recordOf(right)).outcome).toEqual({ outcome: "stale" });
    expect(resolveVersion(item ?? {}, recordOf(wrong)).outcome).toEqual({ outcome: "unchanged" });
  });

  test("is refused when a record was corrected a hundred times, and the row stays as it is", () => {
    let row: Item = wrong;
    for (let nth = 0; nth < 100; nth += 1) row = correct(row, nth % 2 === 0 ? right : wrong).item ?? {};
    expect(JSON.parse(row.corrections?.S ?? "null")).toHaveLength(100);
    expect(correct(row, right)).toEqual({
      outcome: { outcome: "refused", reason: expect.stringContaining("100 times") },
    });
  });
});
