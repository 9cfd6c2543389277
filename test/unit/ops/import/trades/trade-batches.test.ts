import { expect, test } from "vitest";
import type { Trade } from "../../../../../lib/trades/trade.ts";
import { writeTrades } from "../../../../../lib/trades/trade-writer.ts";
import { TradeBatches } from "../../../../../ops/import/trades/trade-batches.ts";
import { SegmentTable } from "../../../../support/segment-table.ts";
import { busyTrades, NOW, trade } from "../../../../support/trades.ts";

async function importInto(table: SegmentTable, trades: readonly Trade[]): Promise<number> {
  const batches = new TradeBatches();
  let most = 0;
  for (const record of trades) {
    const ready = batches.add(record);
    most = Math.max(most, ready.length);
    if (ready.length > 0) await writeTrades(table, "BTC-USD", ready);
  }
  await writeTrades(table, "BTC-USD", batches.finish());
  return most;
}

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

test("no more than one batch is ever held back, even of one burst", async () => {
  const burst = Array.from({ length: 12_000 }, (_, n) => trade(n, NOW));
  expect(await importInto(new SegmentTable(), burst)).toBeLessThanOrEqual(5_000);
});
