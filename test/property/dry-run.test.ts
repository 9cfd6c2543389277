import { describe, expect, test } from "vitest";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { rehearsedPut } from "../../ops/import/rehearsed-put.ts";
import { cases } from "../support/cases.ts";
import { drawsOf } from "../support/limit-simulation.ts";
import {
  contradictingPasses,
  drawSet,
  newTable,
  type RecordKind,
  recordKinds,
} from "../support/record-sets.ts";

/** How many stores are filled by imports of several files, each of which is tried by a dry run first. */
const STORES = cases(60);
const FILES = 6;

const COMMON = ["corrected", "stale", "unchanged", "written"];
const kinds: readonly (readonly [string, RecordKind, readonly string[]])[] = [
  ...recordKinds.filter(([name]) => name !== "pass").map(([name, kind]) => [name, kind, COMMON] as const),
  ["pass", contradictingPasses, ["refused", ...COMMON]],
];

describe.each(kinds)("a dry run of versions of a %s", (_name, kind, outcomes) => {
  test("has the outcomes of the import, whatever was published, corrected and voided before", async () => {
    const draw = drawsOf(5);
    const table = newTable(kind);
    const place = { client: table.client, name: "table" };
    const seen = new Set<string>();
    for (let store = 0; store < STORES; store += 1) {
      table.clear();
      for (let file = 0; file < FILES; file += 1) {
        const versions = drawSet(kind, draw, "owner", 0);
        const correction = draw() < 0.4 ? { at: 0 } : undefined;
        const before = table.asked;
        const rehearsed = rehearsedPut();
        const told = [];
        for (const version of versions) told.push(await version.write(place, correction, rehearsed));
        expect(table.asked).toBe(before);
        const done = [];
        for (const version of versions) done.push(await version.write(place, correction));
        expect(told).toEqual(done);
        for (const { outcome } of done) seen.add(outcome);
        if (kind === contradictingPasses && draw() < 0.1) await new PassRegister(place).void("owner-0", 0);
      }
    }
    expect([...seen].sort()).toEqual([...outcomes].sort());
  });
});
