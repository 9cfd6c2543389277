import { describe, expect, test, vi } from "vitest";
import { idOf } from "../../../bench/support/busy-trades.ts";
import { contractBrand } from "../../../lib/brand.ts";
import { BatchReport } from "../../../lib/ingest/batch-report.ts";
import { Delivery } from "../../../lib/ingest/delivery.ts";
import {
  BATCH_STRETCHES,
  BATCH_TRADES,
  cutBatches,
  type GivenTrade,
} from "../../../lib/ingest/trade-batch.ts";
import { writeMessage } from "../../../lib/ingest/write-message.ts";
import { type TradeParts, writeTrades } from "../../../lib/ingest/write-trades.ts";
import { marketOf } from "../../../lib/markets/market.ts";
import { packSegment } from "../../../lib/trades/pack-segment.ts";
import type { SegmentSink } from "../../../lib/trades/put-trades.ts";
import { keyText, readSegment } from "../../../lib/trades/read-segment.ts";
import type { StoredSegment } from "../../../lib/trades/trade-store.ts";
import { NOW, trade } from "../../support/trades.ts";

/** The id of a trade that a fault of the packing spoils. */
const UNREADABLE = "f".repeat(32);

vi.mock(import("../../../lib/trades/pack-segment.ts"), async (original) => {
  const { packSegment, UnreadableSegment } = await original();
  return {
    UnreadableSegment,
    packSegment: (symbol, segment) => {
      if (segment.trades.some(({ id }) => id === UNREADABLE)) throw new UnreadableSegment(segment);
      return packSegment(symbol, segment);
    },
  };
});

const recordOf = (revision?: number) => {
  const body = writeMessage({ kind: "trade", owner: "BTC-USD", revision }, ["{}"]);
  const [record] = new Delivery({
    messageId: "m",
    body,
    attributes: { ApproximateReceiveCount: "1" },
  }).records;
  if (record === undefined) throw new Error("A message has a record.");
  return record;
};

/** Trades that lie so many ms apart, the newest at the end of a stretch. */
const givenTrades = (count: number, apartMs: number, revision?: number): GivenTrade[] => {
  const record = recordOf(revision);
  return Array.from({ length: count }, (_, n) => ({ record, trade: trade(n, NOW + 1_999 - n * apartMs) }));
};

const sizesOf = (given: readonly GivenTrade[]) =>
  cutBatches("BTC-USD", given).map((batch) => batch.given.length);

describe("trades of a market are packed together", () => {
  test("all of them, until a batch is full and the stretch of its last one is over", () => {
    // 50 trades in each stretch.
    expect(sizesOf(givenTrades(BATCH_TRADES, 40).toReversed())).toEqual([BATCH_TRADES]);
    expect(sizesOf(givenTrades(BATCH_TRADES + 50, 40))).toEqual([BATCH_TRADES, 50]);
    expect(sizesOf(givenTrades(BATCH_TRADES + 1, 0))).toEqual([BATCH_TRADES + 1]);
    expect(sizesOf([])).toEqual([]);
  });

  test("few enough stretches to be written within seconds, of a quiet market too", () => {
    expect(sizesOf(givenTrades(BATCH_STRETCHES, 2_000))).toEqual([BATCH_STRETCHES]);
    expect(sizesOf(givenTrades(2 * BATCH_STRETCHES + 1, 2_000))).toEqual([
      BATCH_STRETCHES,
      BATCH_STRETCHES,
      1,
    ]);
  });

  test("in order of time, whatever the order of their messages", () => {
    const [batch] = cutBatches("BTC-USD", [...givenTrades(5, 3_000), ...givenTrades(5, 700)]);
    const times = batch?.given.map((given) => given.trade.tradedAt) ?? [];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("each revision by itself", () => {
    const batches = cutBatches("BTC-USD", [...givenTrades(2, 0), ...givenTrades(3, 0, 7)]);
    expect(batches.map(({ revision, given }) => [revision, given.length])).toEqual([
      [0, 2],
      [7, 3],
    ]);
  });
});

/** Writes a message of trades with these ids, ten seconds apart, beside withdrawals that stand apart. */
async function written(ids: readonly string[], withdrawals: readonly StoredSegment[] = []) {
  const stored: string[] = [];
  const damaged: string[] = [];
  const sink: SegmentSink = {
    withdrawals: async () => withdrawals,
    put: async (segments) => {
      stored.push(...segments.map((segment) => readSegment(segment).ids));
    },
  };
  const texts = ids.map((tid, n) => JSON.stringify({ tdt: NOW - n * 10_000, p: "1", q: "2", tid }));
  const delivery = new Delivery({
    messageId: "m",
    body: writeMessage({ kind: "trade", owner: "BTC-USD" }, texts),
    attributes: { ApproximateReceiveCount: "1" },
  });
  const markets = {
    reader: () => ({ get: async () => marketOf("BTC-USD") }),
    listings: { of: () => undefined },
  };
  const reportDamage: TradeParts["reportDamage"] = (symbol, { segment }) =>
    void damaged.push(`${symbol} ${keyText(segment)}`);
  const work = { clock: () => NOW, report: new BatchReport(), signal: new AbortController().signal };
  await writeTrades(delivery.records, { markets, sink, reportDamage, venue: contractBrand.venue }, work);
  return { stored: stored.toSorted(), damaged, delivery };
}

describe("a trade that would be read back otherwise than it was given", () => {
  test("is rejected with those of its segment, and all others are stored", async () => {
    const { stored, delivery } = await written([idOf(1), UNREADABLE, idOf(3)]);
    expect(stored).toEqual([idOf(1), idOf(3)].toSorted());
    expect(delivery.isReturned).toBe(false);
    expect(delivery.rejections).toMatchObject([{ reason: "unreadable", position: 2, messageId: "m" }]);
  });
});

describe("a damaged segment of withdrawals", () => {
  const damagedAt = (tradedAt: number): StoredSegment => ({
    ...packSegment("BTC-USD", { revision: 1, trades: [trade(9, tradedAt)] }),
    payload: Buffer.from("damaged"),
  });

  test("returns the trades that it may withdraw, and is told by its market and key; all others are stored", async () => {
    const [mine, another] = [damagedAt(NOW - 10_000), damagedAt(NOW - 20_000)];
    const ids = [1, 2, 3, 4].map(idOf);
    const { stored, delivery, damaged } = await written(ids, [mine, another, damagedAt(NOW - 60_000)]);
    expect(stored).toEqual([idOf(1), idOf(4)].toSorted());
    expect([delivery.isReturned, delivery.rejections]).toEqual([true, []]);
    expect(damaged).toEqual([mine, another].map((segment) => `BTC-USD ${keyText(segment)}`));
  });
});
