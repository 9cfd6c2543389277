import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { packSegment } from "../../../lib/trades/pack-segment.ts";
import { putTrades, type SegmentSink, WRITE_MS_MAX } from "../../../lib/trades/put-trades.ts";
import { stretchOfSegment } from "../../../lib/trades/read-segment.ts";
import { BUCKET_MS, stretchOf } from "../../../lib/trades/segment.ts";
import { withdrawnPartitionOf } from "../../../lib/trades/segment-key.ts";
import type { Trade } from "../../../lib/trades/trade.ts";
import type { StoredSegment } from "../../../lib/trades/trade-store.ts";
import { DamagedWithdrawals } from "../../../lib/trades/withdrawn-places.ts";
import { withdrawTrades } from "../../../ops/import/trades/withdraw-trades.ts";
import { SegmentTable } from "../../support/segment-table.ts";
import { listAll, trade } from "../../support/trades.ts";

const SYMBOL = "BTC-USD";
const BORDER = BUCKET_MS * 649;
const WINDOW = { startMs: BORDER - 86_400_000, endMs: BORDER + 86_400_000 };

let table: SegmentTable;

beforeEach(() => {
  table = new SegmentTable();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const shown = async (): Promise<string[]> =>
  (await listAll(table, { symbol: SYMBOL, window: WINDOW, limit: 100, now: WINDOW.endMs }))
    .flat()
    .map(({ id }) => id);

/** Withdraws trades so that their withdrawals stand apart, as they do after a compaction. */
async function withdrawApart(trades: readonly Trade[], revision: number): Promise<void> {
  const apart = new SegmentTable();
  await withdrawTrades(apart, SYMBOL, trades, revision);
  await table.put(
    apart.segments.map((segment) => ({ ...segment, partition: withdrawnPartitionOf(segment.partition) })),
  );
}

test.each([
  ["of a lower revision", 1, 0],
  ["of the same revision", 0, 1],
])(
  "a trade whose withdrawal stands apart is left out when it comes again, %s",
  async (_, above, revision) => {
    const [gone, other] = [trade(1, BORDER), trade(2, BORDER)];
    await withdrawApart([gone], revision + above);
    expect(await putTrades(table, SYMBOL, [gone, other], revision)).toMatchObject({ withdrawn: 1 });
    expect(await shown()).toEqual([other.id]);
  },
);

test("a trade that a higher revision reports again is written, and a withdrawal of a still higher one hides it", async () => {
  const back = trade(1, BORDER);
  await withdrawApart([back], 1);
  expect(await putTrades(table, SYMBOL, [back], 2)).toEqual({ segments: 1, withdrawn: 0 });
  expect(await shown()).toEqual([back.id]);
  expect(await withdrawTrades(table, SYMBOL, [back], 3)).toEqual({ segments: 1, withdrawn: 0 });
  expect(await shown()).toEqual([]);
});

test("withdrawals are looked for in every bucket of a batch, and to the ends of the stretches of its trades", async () => {
  const before = trade(1, BORDER - 2_000);
  const lastBefore = trade(2, BORDER - 1);
  const after = trade(3, BORDER);
  const lastAfter = trade(4, BORDER + 1_999);
  await withdrawApart([before, lastBefore], 1);
  await withdrawApart([after, lastAfter], 1);
  expect(await putTrades(table, SYMBOL, [before, after])).toEqual({ segments: 0, withdrawn: 2 });
  expect(await putTrades(table, SYMBOL, [lastBefore, lastAfter])).toEqual({ segments: 0, withdrawn: 2 });
});

test("withdrawals are looked for from the first trade of a batch to the last, however far apart these are", async () => {
  const trades = [trade(1, BORDER), trade(2, BORDER + 60_000), trade(3, BORDER + 3_600_000)];
  for (const one of trades) await withdrawApart([one], 1);
  for (const batch of [trades, trades.toReversed()])
    expect(await putTrades(table, SYMBOL, batch)).toEqual({ segments: 0, withdrawn: 3 });
});

/** The table, and what is read of its withdrawals. */
function watched() {
  const read: StoredSegment[][] = [];
  const sink: SegmentSink = {
    put: (segments) => table.put(segments),
    withdrawals: async (symbol, span) => {
      const found = await table.withdrawals(symbol, span);
      read.push(found);
      return found;
    },
  };
  return { read, sink };
}

test("withdrawals that lie between trades further apart than a minute are not read", async () => {
  const between = Array.from({ length: 2_000 }, (_, n) => trade(n, BORDER + 60_000 + n * 10_000));
  const [first, last] = [trade(3_000, BORDER), trade(3_001, BORDER + 30 * 86_400_000)];
  await withdrawApart([...between, last], 1);
  const { sink, read } = watched();
  expect(await putTrades(sink, SYMBOL, [last, first])).toEqual({ segments: 1, withdrawn: 1 });
  expect(read.map(({ length }) => length)).toEqual([0, 1]);
});

test("a batch of a quiet market asks 250 times at most, and finds every withdrawal", async () => {
  const trades = Array.from({ length: 1_000 }, (_, n) => trade(n, BORDER + n * (120_000 + n)));
  await withdrawApart(trades, 1);
  const { sink, read } = watched();
  expect(await putTrades(sink, SYMBOL, trades)).toEqual({ segments: 0, withdrawn: 1_000 });
  expect(read).toHaveLength(250);
});

/** Stores withdrawals of trades that stand apart and cannot be read. */
async function damageApart(...trades: readonly Trade[]): Promise<void> {
  for (const one of trades) {
    const { partition, sort } = packSegment(SYMBOL, { revision: 1, trades: [one] });
    await table.put([{ partition: withdrawnPartitionOf(partition), sort, payload: Buffer.from("damaged") }]);
  }
}

test("damaged withdrawals keep out a batch with a trade of their stretches, by an error that names them all", async () => {
  const [one, two, three] = [trade(1, BORDER), trade(2, BORDER + 4_000), trade(3, BORDER + 8_000)];
  await damageApart(trade(4, BORDER + 1_999), three);
  const putting = putTrades(table, SYMBOL, [one, two, three]);
  await expect(putting).rejects.toThrow(DamagedWithdrawals);
  const error: unknown = await putting.catch((reason: unknown) => reason);
  if (!(error instanceof DamagedWithdrawals)) throw error;
  expect(error.segments.map(({ segment }) => stretchOfSegment(segment))).toEqual([one, three].map(stretchOf));
  expect([one, two, three].map((given) => error.concerns(given))).toEqual([true, false, true]);
  expect(await shown()).toEqual([]);
  expect(await putTrades(table, SYMBOL, [two])).toEqual({ segments: 1, withdrawn: 0 });
});

test("a record that is no withdrawal keeps nothing out, wherever it stands", async () => {
  const apart = new SegmentTable();
  await putTrades(apart, SYMBOL, [trade(1, BORDER)], 5);
  await table.put(
    apart.segments.map((segment) => ({ ...segment, partition: withdrawnPartitionOf(segment.partition) })),
  );
  expect(await putTrades(table, SYMBOL, [trade(1, BORDER)])).toEqual({ segments: 1, withdrawn: 0 });
});

test("of several withdrawals of one trade the highest counts", async () => {
  await withdrawApart([trade(1, BORDER)], 3);
  await withdrawApart([trade(1, BORDER)], 1);
  await withdrawApart([trade(1, BORDER), trade(2, BORDER)], 2);
  expect(await putTrades(table, SYMBOL, [trade(1, BORDER)], 3)).toMatchObject({ withdrawn: 1 });
  expect(await putTrades(table, SYMBOL, [trade(1, BORDER)], 4)).toMatchObject({ withdrawn: 0 });
});

test("the time for a batch begins before its withdrawals are read, so that a slow read leaves less of it", async () => {
  const happened: string[] = [];
  const { signal } = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    happened.push(`time of ${ms} ms begins`);
    return signal;
  });
  const sink: SegmentSink = {
    withdrawals: async () => {
      happened.push("look");
      return [];
    },
    put: async (_, given) => {
      happened.push(given === signal ? "written within it" : "written");
    },
  };
  await putTrades(sink, SYMBOL, [trade(1, BORDER)]);
  expect(happened).toEqual([`time of ${WRITE_MS_MAX} ms begins`, "look", "written within it"]);
  expect(timeout).toHaveBeenCalledTimes(1);
});

test("a withdrawal has a whole revision above that of first reports, and nothing is written with another", async () => {
  await putTrades(table, SYMBOL, [trade(1, BORDER)]);
  for (const revision of [0, -1, 0.5, Number.NaN, 2 ** 53])
    await expect(withdrawTrades(table, SYMBOL, [trade(1, BORDER)], revision)).rejects.toThrow(
      new RangeError("A withdrawal has a revision of 1 or more."),
    );
  expect(await shown()).toEqual([trade(1, BORDER).id]);
  await withdrawTrades(table, SYMBOL, [trade(1, BORDER)], 1);
  expect(await shown()).toEqual([]);
});
