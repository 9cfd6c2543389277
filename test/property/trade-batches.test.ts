import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SegmentTable } from "../../bench/support/segment-table.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { BUCKET_MS } from "../../lib/trades/segment.ts";
import { withdrawnPartitionOf } from "../../lib/trades/segment-key.ts";
import { withdrawTrades } from "../../ops/import/trades/withdraw-trades.ts";
import { cases } from "../support/cases.ts";
import { listAll, recordText, trade } from "../support/trades.ts";

const SYMBOL = "BTC-USD";
const NOON = 1_795_521_600_000;
const WINDOW = { startMs: NOON - 60_000, endMs: NOON + 60_000 };

/** Records of few places: some published at once, others later, some withdrawn. */
const record = fc
  .record({
    place: fc.nat(2),
    price: fc.integer({ min: 1, max: 3 }),
    publishedAfterMs: fc.integer({ min: 0, max: 4 }),
    withdrawn: fc.boolean(),
    revision: fc.nat(1),
  })
  .map(({ place, price, publishedAfterMs, withdrawn, revision }) => ({
    revision,
    trade: trade(place, NOON + place, {
      price: `${price}`,
      publishedAt: NOON + publishedAfterMs,
      ...(withdrawn && { withdrawn }),
    }),
  }));

type Records = readonly (typeof record extends fc.Arbitrary<infer One> ? One : never)[];

async function shownAfter(batches: readonly Records[], now: number): Promise<string[]> {
  const table = new SegmentTable();
  for (const batch of batches) {
    for (const [revision, records] of Map.groupBy(batch, (one) => one.revision))
      await putTrades(
        table,
        SYMBOL,
        records.map((one) => one.trade),
        revision,
      );
  }
  return (await listAll(table, { symbol: SYMBOL, window: WINDOW, limit: 10, now })).flat().map(recordText);
}

test("at every moment readers see the same, whether records came in one batch or one by one, in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(record, { minLength: 1, maxLength: 6 })
        .chain((records) =>
          fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
        ),
      fc.integer({ min: -1, max: 5 }),
      async ([records, shuffled], afterMs) => {
        const together = await shownAfter([records], NOON + afterMs);
        const apart = await shownAfter(
          shuffled.map((one) => [one]),
          NOON + afterMs,
        );
        expect(together).toEqual(apart);
      },
    ),
    { numRuns: cases(100) },
  );
});

const BUCKET = BUCKET_MS * 649;

/** Instants in clusters that lie close together, minutes apart, or in another bucket. */
const instant = fc
  .tuple(fc.constantFrom(0, 1, 45, 90, 40_000, 44_640, 46_080), fc.nat(4_000))
  .map(([minute, ms]) => BUCKET + minute * 60_000 + ms);
const places = (most: number) =>
  fc.uniqueArray(fc.tuple(instant, fc.nat(3)), { minLength: 1, maxLength: most, selector: String });

test("of any batch those trades are left out that stand among any withdrawals, which may stand apart", async () => {
  await fc.assert(
    fc.asyncProperty(places(12), places(12), async (given, gone) => {
      const apart = new SegmentTable();
      const tradesOf = (those: typeof given) => those.map(([tradedAt, id]) => trade(id, tradedAt));
      await withdrawTrades(apart, SYMBOL, tradesOf(gone), 1);
      const table = new SegmentTable();
      const moved = apart.segments.map((one) => ({ ...one, partition: withdrawnPartitionOf(one.partition) }));
      await table.put(moved);
      const withdrawn = new Set(gone.map(String));
      const expected = given.filter((place) => withdrawn.has(String(place))).length;
      expect(await putTrades(table, SYMBOL, tradesOf(given))).toMatchObject({ withdrawn: expected });
    }),
    { numRuns: cases(100) },
  );
});
