import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SegmentTable } from "../../bench/support/segment-table.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { readSegment } from "../../lib/trades/read-segment.ts";
import { BUCKET_MS, stretchOf } from "../../lib/trades/segment.ts";
import { isWithdrawnAt } from "../../lib/trades/segment-columns.ts";
import { isWithdrawnPartition, readKey } from "../../lib/trades/segment-key.ts";
import { comparePlaces, type Trade } from "../../lib/trades/trade.ts";
import { readPage } from "../../lib/trades/trade-reader.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import { withdrawTrades } from "../../ops/import/trades/withdraw-trades.ts";
import { type CompactedStore, compact, minuteOf, SETTLE_MS } from "../../ops/segments/compact.ts";
import {
  bytesOf,
  COMPACTION_PAYS_ABOVE,
  openSegment,
  recordsOf,
} from "../../ops/segments/replace-segments.ts";
import { cases } from "../support/cases.ts";
import { Interleaving } from "../support/interleaving.ts";
import { listAll, placeText, recordText, trade } from "../support/trades.ts";

const SYMBOL = "BTC-USD";
/** A boundary of two buckets lies in the middle of the trades. */
const MIDDLE = BUCKET_MS * 649;
const NOW = MIDDLE + 86_400_000;
const WINDOW = { startMs: MIDDLE - 86_400_000, endMs: NOW };

const sizes = { minLength: 1, maxLength: 40 };
const size = fc.integer({ min: 1, max: 40 });
const offset = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.integer({ min: -1_900, max: 900 }),
  fc.integer({ min: -9_000, max: 9_000 }),
);
const someOf = fc.oneof(fc.constant([false]), fc.array(fc.boolean(), sizes));

/** Trades by their moments, some of them wrong, and how they were stored, delivered again and withdrawn. */
const market = fc.record({
  offsets: fc.uniqueArray(offset, sizes),
  wrong: someOf,
  corrected: someOf,
  restored: fc.array(fc.integer({ min: 0, max: 9 }), sizes),
  late: fc.array(fc.integer({ min: 0, max: 4 }), sizes),
  freshOffsets: fc.array(offset, { maxLength: 4 }),
  isInOrder: fc.boolean(),
  lateAt: fc.integer({ min: 0, max: 40 }),
  freshAt: fc.integer({ min: 0, max: 40 }),
  againAt: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 2 }),
  betweenPages: fc.array(fc.nat(12), { minLength: 3, maxLength: 3 }),
  lags: fc.array(fc.nat(6), { minLength: 1, maxLength: 5 }),
  batch: size,
  deliveredAgainInBatchesOf: fc.array(size, { maxLength: 3 }),
  withdrawnInBatchesOf: size,
  limits: fc.tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 7 }),
    fc.integer({ min: 1, max: 7 }),
  ),
});

type MarketShape = typeof market extends fc.Arbitrary<infer Shape> ? Shape : never;

const chunks = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

const newestFirst = (a: Trade, b: Trade) => comparePlaces(b, a);

/** A market with withdrawn trades and with trades that were stored several times, and what holds for it. */
class StoredMarket {
  readonly table = new SegmentTable();
  readonly trades: readonly Trade[];
  readonly wrong: readonly Trade[];
  readonly #shape: MarketShape;

  constructor(shape: MarketShape) {
    this.#shape = shape;
    const trades = shape.offsets.map((offset, n) => trade(n, MIDDLE + offset));
    this.trades = shape.isInOrder ? trades.sort(comparePlaces) : trades;
    this.wrong = this.trades.filter((_, n) => shape.wrong[n % shape.wrong.length]);
  }

  /** Trades that were corrected before. */
  get #corrected(): readonly Trade[] {
    const { corrected } = this.#shape;
    return this.trades
      .filter((_, n) => corrected[n % corrected.length])
      .map((one) => ({ ...one, price: "1.50" }));
  }

  /** Wrong trades that turned out to be right. */
  get restored(): readonly Trade[] {
    return this.wrong.filter((_, n) => this.#shape.restored[n % this.#shape.restored.length] === 0);
  }

  /** Trades that are withdrawn while the market is compacted. */
  get late(): readonly Trade[] {
    return this.trades.filter((_, n) => this.#shape.late[n % this.#shape.late.length] === 0);
  }

  /** Trades that are first reported while the market is compacted. */
  get fresh(): readonly Trade[] {
    return this.#shape.freshOffsets.map((offset, n) => trade(1_000 + n, MIDDLE + offset));
  }

  /** Of some trades, those that readers must see before and after what is written meanwhile. */
  readonly beforeAndAfter = (shown: readonly Trade[]): string[] => {
    const changing = new Set([...this.late, ...this.fresh].map(({ id }) => id));
    return shown.filter(({ id }) => !changing.has(id)).map(recordText);
  };

  async fill(): Promise<void> {
    const { batch, deliveredAgainInBatchesOf } = this.#shape;
    for (const of of [batch, ...deliveredAgainInBatchesOf])
      for (const some of chunks(this.trades, of)) await putTrades(this.table, SYMBOL, some);
    await putTrades(this.table, SYMBOL, this.#corrected, 1);
    for (const batch of chunks(this.wrong, this.#shape.withdrawnInBatchesOf))
      await withdrawTrades(this.table, SYMBOL, batch, 2);
    await putTrades(this.table, SYMBOL, this.restored, 3);
  }

  /** The trades that readers must see, newest first. */
  get shown(): Trade[] {
    const current = new Map(this.trades.map((one) => [placeText(one), one]));
    for (const one of this.#corrected) current.set(placeText(one), one);
    for (const one of this.wrong) current.delete(placeText(one));
    for (const one of this.restored) current.set(placeText(one), one);
    return [...current.values()].toSorted(newestFirst);
  }

  /** The trades that readers must see once all that is written meanwhile has been. */
  get shownAtLast(): Trade[] {
    const gone = new Set(this.late.map(placeText));
    return [...this.shown.filter((one) => !gone.has(placeText(one))), ...this.fresh].toSorted(newestFirst);
  }

  /** Expects that a listing shows these trades and no others. */
  async expectShown(trades = this.shown): Promise<void> {
    const pages = await listAll(this.table, question(this.#shape.limits[0]));
    expect(pages.flat().map(recordText)).toEqual(trades.map(recordText));
  }

  get withdrawnRows(): number {
    const read = this.table.segments.filter(({ partition }) => !isWithdrawnPartition(partition));
    return read
      .map(readSegment)
      .reduce((sum, it) => sum + it.flags.filter((_, row) => isWithdrawnAt(it, row)).length, 0);
  }
}

const question = (limit: number) => ({ symbol: SYMBOL, window: WINDOW, limit, now: NOW });

const compactionOf = (
  store: CompactedStore,
  trades: readonly Trade[],
  pause: () => Promise<unknown> = async () => {},
  clock = () => NOW,
) =>
  compact({
    store,
    symbol: SYMBOL,
    minutes: trades.map(({ tradedAt }) => minuteOf(tradedAt)),
    clock,
    pause,
    stop: new AbortController().signal,
    report: () => {},
  });

test("a listing shows the same before, after and at every moment of two compactions, whatever is imported meanwhile", async () => {
  await fc.assert(
    fc.asyncProperty(market, fc.scheduler(), async (shape, scheduler) => {
      const market = new StoredMarket(shape);
      await market.fill();
      const world = new Interleaving(scheduler, market.table, NOW, shape.lags);
      const { store } = world;
      const listings = shape.limits.map((limit, at) =>
        world.listPages(store, question(limit), shape.betweenPages[at] ?? 0),
      );
      const again = shape.againAt.map((turns) =>
        world.later(turns, () => putTrades(store, SYMBOL, market.trades)),
      );
      const late = world.later(shape.lateAt, () => withdrawTrades(store, SYMBOL, market.late, 4));
      const fresh = world.later(shape.freshAt, () => putTrades(store, SYMBOL, market.fresh));
      const compactions = [1, 2].map(() =>
        world.compaction((pause) => compactionOf(store, market.trades, pause, () => world.now)),
      );
      await scheduler.waitFor(Promise.all([...listings, ...compactions, ...again, late, fresh]));
      for (const listing of listings) {
        const seen = await listing;
        expect(seen.map(recordText)).toEqual([...seen].sort(newestFirst).map(recordText));
        expect(market.beforeAndAfter(seen)).toEqual(market.beforeAndAfter(market.shown));
      }
      await market.expectShown(market.shownAtLast);
    }),
    { numRuns: cases(40) },
  );
});

test("after a compaction listings have nothing left to pass over, and importing all again changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(market, async (shape) => {
      const market = new StoredMarket(shape);
      await market.fill();
      const gone = market.wrong.length - market.restored.length;
      const compacted = await compactionOf(market.table, market.trades);
      expect(compacted).toMatchObject({ tradeCount: gone, leftCount: 0 });
      if (gone > 0 && market.restored.length === 0) expect(market.withdrawnRows).toBe(0);
      await putTrades(market.table, SYMBOL, market.trades);
      await market.expectShown();
    }),
    { numRuns: cases(40) },
  );
});

/** The segments that listings read of each stretch, by its number. */
const stretchesOf = (table: SegmentTable): Map<number, StoredSegment[]> =>
  Map.groupBy(
    table.segments.filter(({ partition }) => !isWithdrawnPartition(partition)),
    ({ sort }) => stretchOf(readKey(sort).last),
  );

test("after a compaction no stretch costs more than half as much again as one import of its records would", async () => {
  await fc.assert(
    fc.asyncProperty(market, async (shape) => {
      const market = new StoredMarket(shape);
      await market.fill();
      await compactionOf(market.table, market.trades);
      const anew = new SegmentTable();
      const records = market.table.segments.map(openSegment).flatMap(recordsOf);
      for (const [revision, group] of Map.groupBy(records, (record) => record.revision))
        await putTrades(
          anew,
          SYMBOL,
          group.map((record) => record.trade),
          revision,
        );
      const least = stretchesOf(anew);
      for (const [stretch, segments] of stretchesOf(market.table))
        expect(bytesOf(segments)).toBeLessThanOrEqual(
          COMPACTION_PAYS_ABOVE * bytesOf(least.get(stretch) ?? []),
        );
    }),
    { numRuns: cases(40) },
  );
});

test("the next compaction removes what a writer brings back without reading withdrawals", async () => {
  await fc.assert(
    fc.asyncProperty(market, async (shape) => {
      const market = new StoredMarket(shape);
      await putTrades(market.table, SYMBOL, market.trades);
      const first = market.table.segments;
      await market.fill();
      await compactionOf(market.table, market.trades);
      await market.table.put(first);
      await compactionOf(market.table, market.trades);
      await market.expectShown();
    }),
    { numRuns: cases(40) },
  );
});

test("a record counts from its publication on, even when the record that it corrects is compacted before", async () => {
  const table = new SegmentTable();
  const one = trade(1, MIDDLE);
  await putTrades(table, SYMBOL, [one, trade(2, MIDDLE)]);
  await withdrawTrades(table, SYMBOL, [trade(2, MIDDLE)], 1);
  await putTrades(table, SYMBOL, [{ ...one, withdrawn: true, publishedAt: NOW + 1 }], 1);
  const shownAt = async (now: number) =>
    (await listAll(table, { ...question(5), now })).flat().map(({ id }) => id);
  expect([await shownAt(NOW), await shownAt(NOW + 1)]).toEqual([[one.id], []]);
  const compacted = await compactionOf(table, [one]);
  expect(compacted).toMatchObject({ tradeCount: 0, leftCount: 1 });
  expect([await shownAt(NOW), await shownAt(NOW + 1)]).toEqual([[one.id], []]);
});

test("a compaction that is stopped before any of its calls, and repeated, ends as one that was not", async () => {
  await fc.assert(
    fc.asyncProperty(market, fc.array(fc.nat(12), { maxLength: 4 }), async (shape, stops) => {
      const market = new StoredMarket(shape);
      await market.fill();
      for (const callsLeft of stops) {
        await compactionOf(stoppedAfter(callsLeft, market.table), market.trades).catch((error: unknown) =>
          expect(error).toBe(STOPPED),
        );
        await market.expectShown();
      }
      const last = await compactionOf(market.table, market.trades);
      expect(last.leftCount).toBe(0);
      await market.expectShown();
    }),
    { numRuns: cases(40) },
  );
});

const STOPPED = new Error("Killed.");

/** A store that a process reaches for this many calls. */
function stoppedAfter(callsLeft: number, table: SegmentTable): CompactedStore {
  let left = callsLeft;
  const counted =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (left === 0) throw STOPPED;
      left -= 1;
      return await call(...given);
    };
  return {
    put: counted((segments) => table.put(segments)),
    withdrawals: counted((symbol, span) => table.withdrawals(symbol, span)),
    segmentsWithin: counted((symbol, span) => table.segmentsWithin(symbol, span)),
    removeAll: counted((keys) => table.removeAll(keys)),
  };
}

test.each([
  ["a writer that does not look at withdrawals brings a trade back", [true, true]],
  ["nothing else happens", [false, false]],
])(
  "withdrawals are not removed while they hide a trade: %s between the last steps",
  async (_, [comesBack, isLeft]) => {
    const table = new SegmentTable();
    await putTrades(table, SYMBOL, [trade(1, MIDDLE)]);
    const first = table.segments;
    await withdrawTrades(table, SYMBOL, [trade(1, MIDDLE)], 1);
    let pauses = 0;
    const compacted = await compactionOf(table, [trade(1, MIDDLE)], async () => {
      pauses += 1;
      if (pauses === 2 && comesBack === true) await table.put(first);
    });
    expect([pauses, compacted.leftCount]).toEqual([2, isLeft === true ? 1 : 0]);
    expect(await listAll(table, question(5))).toEqual([[]]);
  },
);

test("a trade that is withdrawn after the first step waits for its own step, even when others set it apart", async () => {
  const table = new SegmentTable();
  await putTrades(table, SYMBOL, [trade(1, MIDDLE), trade(2, MIDDLE)]);
  await withdrawTrades(table, SYMBOL, [trade(1, MIDDLE)], 1);
  let pauses = 0;
  const compacted = await compactionOf(table, [trade(1, MIDDLE)], async () => {
    pauses += 1;
    await withdrawTrades(table, SYMBOL, [trade(2, MIDDLE)], 1);
    const other = compactionOf(table, [trade(1, MIDDLE)], async () => await Promise.reject(STOPPED));
    await expect(other).rejects.toBe(STOPPED);
  });
  expect([pauses, compacted.tradeCount, compacted.leftCount]).toEqual([1, 0, 1]);
  expect(table.segments.length).toBeGreaterThan(2);
});

test.each([
  ["stored again in one batch", 2, false],
  ["with a withdrawn trade in each", 1, true],
])("a cursor from before a compaction misses no trade of two segments %s", async (_, limit, withdraws) => {
  const table = new SegmentTable();
  const [older, newer, wrong, also] = [0, 1_500, 700, 1_600].map((afterMs, n) => trade(n, MIDDLE + afterMs));
  const [low, high] = [
    [older, wrong],
    [newer, also],
  ] as Trade[][];
  for (const batch of [low, high]) await putTrades(table, SYMBOL, batch as Trade[]);
  for (const one of withdraws ? [wrong, also] : []) await withdrawTrades(table, SYMBOL, [one as Trade], 1);
  const all = await listAll(table, question(5));
  const first = await readPage(table, question(limit));
  if (!withdraws) await putTrades(table, SYMBOL, [low, high].flat() as Trade[]);
  await compactionOf(table, [newer as Trade]);
  expect(table.segments.filter(({ partition }) => !isWithdrawnPartition(partition))).toHaveLength(1);
  const rest = await listAll(table, { ...question(5), from: first.next, now: NOW + SETTLE_MS });
  expect(rest.flat()).toEqual(all.flat().slice(limit));
});

test("a listing that began before a correction was published shows the corrected record, even after a compaction", async () => {
  const table = new SegmentTable();
  const [newer, older, wrong] = [trade(1, MIDDLE + 1), trade(2, MIDDLE), trade(3, MIDDLE)];
  await putTrades(table, SYMBOL, [newer, older, wrong]);
  const first = await readPage(table, { ...question(1), now: NOW - 10 });
  await putTrades(table, SYMBOL, [{ ...older, price: "1.50", publishedAt: NOW - 5 }], 1);
  await withdrawTrades(table, SYMBOL, [wrong], 1);
  await compactionOf(table, [wrong]);
  const rest = await listAll(table, { ...question(5), from: first.next, now: NOW });
  expect(rest.flat().map(recordText)).toEqual([recordText(older)]);
  const anew = await listAll(table, question(5));
  expect(anew.flat().map(({ price }) => price)).toEqual([newer.price, "1.50"]);
});
