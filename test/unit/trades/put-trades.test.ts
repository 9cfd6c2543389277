import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SegmentTable } from "../../../bench/support/segment-table.ts";
import { packSegment } from "../../../lib/trades/pack-segment.ts";
import { putTrades, type SegmentSink, WRITE_MS_MAX } from "../../../lib/trades/put-trades.ts";
import { stretchOfSegment } from "../../../lib/trades/read-segment.ts";
import { BUCKET_MS, stretchOf } from "../../../lib/trades/segment.ts";
import { withdrawnPartitionOf } from "../../../lib/trades/segment-key.ts";
import { closeSpans } from "../../../lib/trades/standing-trades.ts";
import type { Trade } from "../../../lib/trades/trade.ts";
import type { StoredSegment } from "../../../lib/trades/trade-store.ts";
import { DamagedWithdrawals } from "../../../lib/trades/withdrawn-places.ts";
import { withdrawTrades } from "../../../ops/import/trades/withdraw-trades.ts";
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

const listed = async () =>
  (await listAll(table, { symbol: SYMBOL, window: WINDOW, limit: 100, now: WINDOW.endMs })).flat();
const shown = async (): Promise<string[]> => (await listed()).map(({ id }) => id);

/** Stores what is written as withdrawals that stand apart, as they do after a compaction. */
async function storeApart(write: (apart: SegmentTable) => Promise<unknown>): Promise<void> {
  const apart = new SegmentTable();
  await write(apart);
  await table.put(
    apart.segments.map((segment) => ({ ...segment, partition: withdrawnPartitionOf(segment.partition) })),
  );
}
const withdrawApart = (trades: readonly Trade[], revision: number) =>
  storeApart((apart) => withdrawTrades(apart, SYMBOL, trades, revision));

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
  const written = await withdrawTrades(table, SYMBOL, [back], 3);
  expect(written).toEqual({ segments: 1, withdrawn: 0, unchanged: 0 });
  expect(await shown()).toEqual([]);
});

test("a trade that is withdrawn again once its withdrawal stands apart is unchanged", async () => {
  await withdrawApart([trade(1, BORDER)], 1);
  const written = await withdrawTrades(table, SYMBOL, [trade(1, BORDER)], 1);
  expect(written).toEqual({ segments: 0, withdrawn: 0, unchanged: 1 });
});

test("withdrawals are looked for in every bucket of a batch, and to the ends of the stretches of its trades", async () => {
  const [before, lastBefore] = [trade(1, BORDER - 2_000), trade(2, BORDER - 1)];
  const [after, lastAfter] = [trade(3, BORDER), trade(4, BORDER + 1_999)];
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

test("a record that is not a withdrawal keeps nothing out, wherever it stands", async () => {
  await storeApart((apart) => putTrades(apart, SYMBOL, [trade(1, BORDER)], 5));
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

describe("a trade that meets something in its place is told", () => {
  /** The table, which is asked what stands in the places of a batch. */
  const looking = (): SegmentSink => ({
    put: (segments) => table.put(segments),
    withdrawals: (symbol, span) => table.withdrawals(symbol, span),
    standing: (symbol, span) => table.segmentsWithin(symbol, span),
  });
  const put = async (trades: readonly Trade[], revision = 0) =>
    (await putTrades(looking(), SYMBOL, trades, revision)).meetings?.map(({ trade: one, meets }) => [
      (one as Trade).quantity,
      meets,
    ]);
  const withdraw = async (one: Trade, revision: number) =>
    (await withdrawTrades(looking(), SYMBOL, [one], revision)).meetings?.map(({ meets }) => meets);
  const [small, large] = [trade(7, BORDER, { quantity: "1" }), trade(7, BORDER, { quantity: "100" })];

  test.each([
    ["in one batch", [[small, large]]],
    ["in one batch, in the other order", [[large, small]]],
    ["in two batches", [[small], [large]]],
    ["in two batches, in the other order", [[large], [small]]],
  ])("if another trade has its instant and id, %s: the same one is listed in the end", async (_, batches) => {
    const met = [];
    for (const batch of batches) met.push(...((await put(batch)) ?? []));
    expect((await listed()).map(({ quantity }) => quantity)).toEqual(["1"]);
    const isReplaced = batches.length === 2 && batches[0]?.[0] === large;
    expect(met).toEqual([isReplaced ? ["1", "replaced"] : ["100", "another"]]);
  });

  test("but not if the other is the same trade: sent again, or published at another time", async () => {
    expect(await put([small, small, { ...small, publishedAt: BORDER + 1 }])).toBeUndefined();
    expect(await put([small])).toBeUndefined();
    expect(await put([{ ...small, publishedAt: BORDER + 2 }])).toBeUndefined();
  });

  test("if it corrects or withdraws what is not there, also when that is said again", async () => {
    for (const _ of [1, 2]) expect(await withdraw(small, 1)).toEqual(["nothing"]);
    const other = trade(8, BORDER);
    expect(await put([other], 1)).toEqual([[other.quantity, "nothing"]]);
    expect(await put([other], 1)).toBeUndefined();
  });

  test("and not if the trade is there, in its first report or a correction, or was withdrawn and compacted", async () => {
    await put([small]);
    expect(await put([large], 1)).toBeUndefined();
    expect(await withdraw(small, 2)).toBeUndefined();
    const gone = trade(9, BORDER);
    await withdrawApart([gone], 1);
    expect(await withdraw(gone, 2)).toBeUndefined();
  });

  test("if a higher revision keeps it from being seen, or a withdrawal from having an effect", async () => {
    await put([small], 5);
    expect(await put([large], 0)).toEqual([["100", "newer"]]);
    expect(await withdraw(small, 3)).toEqual(["newer"]);
    await withdraw(small, 6);
    expect(await put([small], 6)).toEqual([["1", "newer"]]);
  });

  test("even if segments beside it cannot be read, and not if the question fails", async () => {
    await put([large]);
    const [stored] = table.segments;
    if (stored === undefined) throw new Error("A trade is stored.");
    const sort = Buffer.concat([stored.sort.subarray(0, 24), Buffer.alloc(4)]);
    await table.put([{ ...stored, sort, payload: Buffer.from("?") }]);
    expect(await put([small])).toEqual([["1", "replaced"]]);
    const silent = { ...looking(), standing: () => Promise.reject(new Error("no answer")) };
    expect(await putTrades(silent, SYMBOL, [small])).toEqual({ segments: 1, withdrawn: 0 });
  });
});

test("what stands beside trades is asked for in few questions, and none reads a quiet hour between two", () => {
  const at = (...instants: readonly number[]) =>
    closeSpans(instants.map((tradedAt) => ({ tradedAt, id: "" }))).map(({ fromMs, toMs }) => [
      fromMs - BORDER,
      toMs - BORDER,
    ]);
  expect(at(BORDER + 20_000, BORDER, BORDER + 10_000)).toEqual([[0, 21_999]]);
  expect(at(BORDER, BORDER + 3_600_000)).toEqual([
    [0, 1_999],
    [3_600_000, 3_601_999],
  ]);
  expect(at(BORDER - 1, BORDER)).toEqual([
    [-1, -1],
    [0, 1_999],
  ]);
});
