import * as fc from "fast-check";
import { expect, test } from "vitest";
import { busyTrades } from "../../../../../bench/support/busy-trades.ts";
import { SegmentTable } from "../../../../../bench/support/segment-table.ts";
import { putTrades } from "../../../../../lib/trades/put-trades.ts";
import { SEGMENT_SPAN_MS, stretchOf } from "../../../../../lib/trades/segment.ts";
import type { Trade } from "../../../../../lib/trades/trade.ts";
import { TradeBatches } from "../../../../../ops/import/trades/trade-batches.ts";
import { cases } from "../../../../support/cases.ts";
import { NOW, trade } from "../../../../support/trades.ts";

async function importInto(table: SegmentTable, trades: readonly Trade[]): Promise<void> {
  const batches = new TradeBatches();
  for (const record of trades) {
    const ready = batches.add(record);
    if (ready.length > 0) await putTrades(table, "BTC-USD", ready);
  }
  await putTrades(table, "BTC-USD", batches.finish());
}

/** `count` trades of one instant, which lies `stretch` stretches after the first. */
interface Burst {
  readonly stretch: number;
  readonly count: number;
}

/** Returns the most trades that were held back at once, and all that were released. */
function sendThrough(bursts: readonly Burst[]): { readonly mostHeld: number; readonly trades: Trade[] } {
  const batches = new TradeBatches();
  const out: Trade[] = [];
  let mostHeld = 0;
  let taken = 0;
  for (const one of bursts.flatMap(tradesOf)) {
    taken += 1;
    out.push(...batches.add(one));
    mostHeld = Math.max(mostHeld, taken - out.length);
  }
  return { mostHeld, trades: [...out, ...batches.finish()] };
}

const tradesOf = ({ stretch, count }: Burst): Trade[] =>
  Array<Trade>(count).fill(trade(stretch, NOW + stretch * SEGMENT_SPAN_MS));

test("a file that is sorted upwards or downwards is stored alike, whatever the batches", async () => {
  const trades = busyTrades(17_000, 35, NOW);
  const table = new SegmentTable();
  await importInto(table, trades);
  const { size } = table;
  await importInto(table, trades.toReversed());
  expect(table.size).toBe(size);
});

test("a part of a file adds the segments at its edges only", async () => {
  const trades = busyTrades(17_000, 35, NOW);
  const table = new SegmentTable();
  await importInto(table, trades);
  const { size } = table;
  await importInto(table, trades.slice(1_234, 12_345));
  expect(table.size).toBeLessThanOrEqual(size + 2);
});

const countsOf = (trades: readonly Trade[]): ReadonlyMap<number, number> =>
  new Map(Array.from(Map.groupBy(trades, stretchOf), ([stretch, { length }]) => [stretch, length]));

test.each([
  ["of one burst", [{ stretch: 0, count: 12_000 }]],
  [
    "of a stretch that has nearly filled one when another is over",
    [
      { stretch: 0, count: 1 },
      { stretch: 1, count: 12_000 },
    ],
  ],
])("no more than one batch is ever held back: %s", (_, bursts) => {
  expect(sendThrough(bursts).mostHeld).toBe(4_999);
});

test("whatever bursts a file is made of, less than a batch is held back, and every trade comes out once", () => {
  const burst = fc.record({ stretch: fc.nat(3), count: fc.integer({ min: 1, max: 6_000 }) });
  fc.assert(
    fc.property(fc.array(burst, { maxLength: 5 }), (bursts) => {
      const { mostHeld, trades } = sendThrough(bursts);
      expect(mostHeld).toBeLessThan(5_000);
      expect(countsOf(trades)).toEqual(countsOf(bursts.flatMap(tradesOf)));
    }),
    { numRuns: cases(10) },
  );
});
