import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { randomOf } from "../../bench/support/random-of.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { ImportJournal } from "../../ops/import/journal/import-journal.ts";
import { rehearsedPut } from "../../ops/import/rehearsed-put.ts";
import { marketWriter } from "../../ops/import/trades/market-writer.ts";
import type { WriteTrades } from "../../ops/import/trades/write-trades.ts";
import type { OperatorStore } from "../../ops/store/operator-store.ts";
import { cases } from "../support/cases.ts";
import { type NearStore, openNearStore } from "../support/engine.ts";
import {
  contradictingPasses,
  drawBelow,
  drawSet,
  newTable,
  type RecordKind,
  recordKinds,
} from "../support/record-sets.ts";
import { NOW, trade } from "../support/trades.ts";

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
    const draw = randomOf(5);
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

describe("a dry run of trades", () => {
  const market = marketOf("BTC-USD");
  let engine: NearStore;
  beforeAll(async () => {
    engine = await openNearStore();
  });
  beforeEach(() => engine.empty());
  afterAll(() => engine.close());

  test("counts and remarks what the import then does", async () => {
    const draw = randomOf(6);
    const store = { table: engine.table } as OperatorStore;
    const trades = Array.from({ length: 12 }, (_, n) => trade(n, NOW + n * 20_000));
    const seen = new Set<string>();
    for (let file = 0; file < cases(30); file += 1) {
      const batches = [1, 2].map(() => trades.filter(() => draw() < 0.4)).filter((batch) => batch.length > 0);
      const isWithdrawal = draw() < 0.3;
      const revision = drawBelow(draw, 3) + (isWithdrawal ? 1 : 0);
      const journal = new ImportJournal(store, "trades", market.symbol);
      const [told, done] = [true, false].map((isRehearsal) =>
        marketWriter(store, { market, isListed: true, revision, isWithdrawal, isRehearsal, journal }),
      );
      const outcomes = async (write: WriteTrades | undefined) => {
        const written = [];
        for (const batch of batches) written.push(await write?.(batch));
        return written;
      };
      const expected = await outcomes(told);
      expect(await outcomes(done)).toEqual(expected);
      for (const counts of expected)
        for (const [name, count] of Object.entries(counts ?? {})) if (count > 0) seen.add(name);
    }
    expect([...seen].sort()).toEqual(["hidden", "segments", "unchanged"]);
  });
});
