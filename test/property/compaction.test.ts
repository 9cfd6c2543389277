import * as fc from "fast-check";
import { expect, test } from "vitest";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { readSegment } from "../../lib/trades/read-segment.ts";
import { BUCKET_MS } from "../../lib/trades/segment.ts";
import { isWithdrawnAt } from "../../lib/trades/segment-columns.ts";
import { isWithdrawnPartition } from "../../lib/trades/segment-key.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { type PageQuestion, readPage, type SegmentSource } from "../../lib/trades/trade-reader.ts";
import { withdrawTrades } from "../../lib/trades/withdraw-trades.ts";
import { type CompactedStore, compact, minuteOf } from "../../ops/trades/compact.ts";
import { SegmentTable } from "../support/segment-table.ts";
import { listAll, placeText, recordText, trade } from "../support/trades.ts";

const SYMBOL = "BTC-USD";
/** A boundary of two buckets lies in the middle of the trades. */
const MIDDLE = BUCKET_MS * 649;
const NOW = MIDDLE + 86_400_000;
const WINDOW = { startMs: MIDDLE - 86_400_000, endMs: NOW };

const sizes = { minLength: 1, maxLength: 40 };
const offset = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -9_000, max: 9_000 }));

/** Trades by their moments, some of them wrong, and how they were stored and withdrawn. */
const market = fc.record({
  offsets: fc.uniqueArray(offset, sizes),
  wrong: fc.array(fc.boolean(), sizes),
  corrected: fc.array(fc.boolean(), sizes),
  restored: fc.array(fc.integer({ min: 0, max: 9 }), sizes),
  late: fc.array(fc.integer({ min: 0, max: 4 }), sizes),
  delays: fc.array(fc.integer({ min: 0, max: 25 }), { minLength: 4, maxLength: 4 }),
  batch: fc.integer({ min: 1, max: 40 }),
  withdrawnInBatchesOf: fc.integer({ min: 1, max: 40 }),
  limit: fc.integer({ min: 1, max: 7 }),
});

type MarketShape = typeof market extends fc.Arbitrary<infer Shape> ? Shape : never;

const chunks = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

/** A market with withdrawn trades, and what holds for it. */
class WithdrawnMarket {
  readonly table = new SegmentTable();
  readonly trades: readonly Trade[];
  readonly wrong: readonly Trade[];
  readonly #shape: MarketShape;

  constructor(shape: MarketShape) {
    this.#shape = shape;
    this.trades = shape.offsets.map((offset, n) => trade(n, MIDDLE + offset));
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

  /** The trades that readers must see after the late withdrawals; before, a reader may see any of the late ones too. */
  readonly withoutLate = (shown: readonly string[]): string[] => {
    const late = new Set(this.late.map(({ id }) => id));
    return shown.filter((text) => !late.has(text.split(" ")[1] ?? ""));
  };

  async fill(): Promise<void> {
    for (const batch of chunks(this.trades, this.#shape.batch)) await putTrades(this.table, SYMBOL, batch);
    await putTrades(this.table, SYMBOL, this.#corrected, 1);
    for (const batch of chunks(this.wrong, this.#shape.withdrawnInBatchesOf))
      await withdrawTrades(this.table, SYMBOL, batch, 2);
    await putTrades(this.table, SYMBOL, this.restored, 3);
  }

  /** The trades that readers must see, newest first. */
  get shown(): string[] {
    const current = new Map(this.trades.map((one) => [placeText(one), one]));
    for (const one of this.#corrected) current.set(placeText(one), one);
    for (const one of this.wrong) current.delete(placeText(one));
    for (const one of this.restored) current.set(placeText(one), one);
    const newestFirst = (a: Trade, b: Trade) => b.tradedAt - a.tradedAt || (a.id < b.id ? 1 : -1);
    return [...current.values()].toSorted(newestFirst).map(recordText);
  }

  get withdrawnRows(): number {
    const read = this.table.segments.filter(({ partition }) => !isWithdrawnPartition(partition));
    return read
      .map(readSegment)
      .reduce((sum, it) => sum + it.flags.filter((_, row) => isWithdrawnAt(it, row)).length, 0);
  }
}

const question = (limit: number) => ({ symbol: SYMBOL, window: WINDOW, limit, now: NOW });

/** Runs tasks in an order that the scheduler draws; a pause outlasts the calls under way when it begins. */
class Interleaving {
  readonly #scheduler: fc.Scheduler;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler;
  }

  /** A task that takes less time than a pause: a page of a listing, or the writing of a batch. */
  async brief<Result>(begin: () => Promise<Result>): Promise<Result> {
    const task = begin();
    this.#underWay.add(task);
    try {
      return await task;
    } finally {
      this.#underWay.delete(task);
    }
  }

  /** The same, begun after this many turns of the others. */
  async later<Result>(turns: number | undefined, begin: () => Promise<Result>): Promise<Result> {
    for (let turn = 0; turn < (turns ?? 0); turn += 1)
      await this.#scheduler.schedule(Promise.resolve(), "turn");
    return await this.brief(begin);
  }

  readonly pause = async (): Promise<void> => {
    await Promise.allSettled(this.#underWay);
  };

  store(table: SegmentTable): CompactedStore & SegmentSource {
    const turn =
      <Given extends unknown[], Result>(name: string, call: (...given: Given) => Promise<Result>) =>
      async (...given: Given): Promise<Result> => {
        await this.#scheduler.schedule(Promise.resolve(), name);
        return await call(...given);
      };
    return {
      put: turn("put", (segments) => table.put(segments)),
      withdrawals: turn("look", (symbol, span) => table.withdrawals(symbol, span)),
      segmentsWithin: turn("read", (symbol, span) => table.segmentsWithin(symbol, span)),
      removeAll: turn("remove", (keys) => table.removeAll(keys)),
      page: turn("page", (asked) => table.page(asked)),
    };
  }
}

const compactionOf = (store: CompactedStore, trades: readonly Trade[], pause: () => Promise<unknown>) =>
  compact({
    store,
    symbol: SYMBOL,
    minutes: trades.map(({ tradedAt }) => minuteOf(tradedAt)),
    clock: () => NOW,
    pause,
    stop: new AbortController().signal,
    report: () => {},
  });

/** All pages of a listing, each of which is briefly under way. */
async function listPages(store: SegmentSource, limit: number, world: Interleaving): Promise<string[]> {
  const seen: string[] = [];
  let from: PageQuestion["from"];
  do {
    const page = await world.brief(() => readPage(store, { ...question(limit), from }));
    seen.push(...page.rows.map(tradeOf).map(recordText));
    from = page.next;
  } while (from !== undefined);
  return seen;
}

test("a listing shows the same before, after and at every moment of a compaction, whatever is imported meanwhile", async () => {
  await fc.assert(
    fc.asyncProperty(market, fc.scheduler(), async (shape, scheduler) => {
      const withdrawn = new WithdrawnMarket(shape);
      await withdrawn.fill();
      const world = new Interleaving(scheduler);
      const store = world.store(withdrawn.table);
      const listings = [shape.limit, 2 * shape.limit].map((limit) => listPages(store, limit, world));
      const [lateAt, ...againAt] = shape.delays;
      const again = againAt.map((turns) =>
        world.later(turns, () => putTrades(store, SYMBOL, withdrawn.trades)),
      );
      const late = world.later(lateAt, () => withdrawTrades(store, SYMBOL, withdrawn.late, 4));
      const compactions = [1, 2].map(() => compactionOf(store, withdrawn.trades, world.pause));
      await scheduler.waitFor(Promise.all([...listings, ...compactions, ...again, late]));
      const expected = withdrawn.withoutLate(withdrawn.shown);
      for (const listing of listings) expect(withdrawn.withoutLate(await listing)).toEqual(expected);
      const after = await listAll(withdrawn.table, question(shape.limit));
      expect(after.flat().map(recordText)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test("after a compaction listings have nothing left to pass over, and importing all again changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(market, async (shape) => {
      const withdrawn = new WithdrawnMarket(shape);
      await withdrawn.fill();
      const gone = withdrawn.wrong.length - withdrawn.restored.length;
      const compacted = await compactionOf(withdrawn.table, withdrawn.trades, async () => {});
      expect(compacted).toEqual({ tradeCount: gone, leftCount: 0 });
      if (gone > 0 && withdrawn.restored.length === 0) expect(withdrawn.withdrawnRows).toBe(0);
      await putTrades(withdrawn.table, SYMBOL, withdrawn.trades);
      const after = await listAll(withdrawn.table, question(shape.limit));
      expect(after.flat().map(recordText)).toEqual(withdrawn.shown);
    }),
  );
});

test("the next compaction removes what a writer brings back without reading withdrawals", async () => {
  await fc.assert(
    fc.asyncProperty(market, async (shape) => {
      const withdrawn = new WithdrawnMarket(shape);
      await putTrades(withdrawn.table, SYMBOL, withdrawn.trades);
      const first = withdrawn.table.segments;
      await withdrawn.fill();
      await compactionOf(withdrawn.table, withdrawn.trades, async () => {});
      await withdrawn.table.put(first);
      await compactionOf(withdrawn.table, withdrawn.trades, async () => {});
      const after = await listAll(withdrawn.table, question(shape.limit));
      expect(after.flat().map(recordText)).toEqual(withdrawn.shown);
    }),
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
  const compacted = await compactionOf(table, [one], async () => {});
  expect(compacted).toEqual({ tradeCount: 0, leftCount: 1 });
  expect([await shownAt(NOW), await shownAt(NOW + 1)]).toEqual([[one.id], []]);
});

test("a compaction that is stopped before any of its calls, and repeated, ends as one that was not", async () => {
  await fc.assert(
    fc.asyncProperty(market, fc.array(fc.nat(12), { maxLength: 4 }), async (shape, stops) => {
      const withdrawn = new WithdrawnMarket(shape);
      await withdrawn.fill();
      for (const callsLeft of stops) {
        await compactionOf(stoppedAfter(callsLeft, withdrawn.table), withdrawn.trades, async () => {}).catch(
          (error: unknown) => expect(error).toBe(STOPPED),
        );
        const meanwhile = await listAll(withdrawn.table, question(shape.limit));
        expect(meanwhile.flat().map(recordText)).toEqual(withdrawn.shown);
      }
      const last = await compactionOf(withdrawn.table, withdrawn.trades, async () => {});
      expect(last.leftCount).toBe(0);
      const after = await listAll(withdrawn.table, question(shape.limit));
      expect(after.flat().map(recordText)).toEqual(withdrawn.shown);
    }),
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
  expect([pauses, compacted]).toEqual([1, { tradeCount: 0, leftCount: 1 }]);
  expect(table.segments.length).toBeGreaterThan(2);
});

test("a listing that began before a correction was published shows the corrected record, even after a compaction", async () => {
  const table = new SegmentTable();
  const [newer, older, wrong] = [trade(1, MIDDLE + 1), trade(2, MIDDLE), trade(3, MIDDLE)];
  await putTrades(table, SYMBOL, [newer, older, wrong]);
  const first = await readPage(table, { ...question(1), now: NOW - 10 });
  await putTrades(table, SYMBOL, [{ ...older, price: "1.50", publishedAt: NOW - 5 }], 1);
  await withdrawTrades(table, SYMBOL, [wrong], 1);
  await compactionOf(table, [wrong], async () => {});
  const rest = await listAll(table, { ...question(5), from: first.next, now: NOW });
  expect(rest.flat().map(recordText)).toEqual([recordText(older)]);
  const anew = await listAll(table, question(5));
  expect(anew.flat().map(({ price }) => price)).toEqual([newer.price, "1.50"]);
});
