import { beforeEach, describe, expect, test } from "vitest";
import { busyTrades } from "../../../bench/support/busy-trades.ts";
import { SegmentTable } from "../../../bench/support/segment-table.ts";
import { tradeOf } from "../../../lib/trades/page-buffer.ts";
import { putTrades } from "../../../lib/trades/put-trades.ts";
import { BUCKET_MS } from "../../../lib/trades/segment.ts";
import { highestKeyAt, lastPlaceAt } from "../../../lib/trades/segment-key.ts";
import { comparePlaces, type Trade } from "../../../lib/trades/trade.ts";
import {
  type NextPage,
  type PageQuestion,
  READ_UNITS_MAX,
  RESUME_MS_MAX,
  readPage,
  type SegmentSource,
} from "../../../lib/trades/trade-reader.ts";
import { withdrawTrades } from "../../../ops/import/trades/withdraw-trades.ts";
import { DAY_MS, listAll, NOW, recordText, trade } from "../../support/trades.ts";

const SYMBOL = "BTC-USD";
const WEEK = { startMs: NOW - 7 * DAY_MS, endMs: NOW };
const MONTH = { startMs: NOW - 30 * DAY_MS, endMs: NOW };

let table: SegmentTable;
beforeEach(() => {
  table = new SegmentTable();
});

const write = (trades: readonly Trade[], revision?: number) => putTrades(table, SYMBOL, trades, revision);
const question = { symbol: SYMBOL, window: WEEK, limit: 1_900, now: NOW };
const list = async (changes: Partial<typeof question> = {}) =>
  (await listAll(table, { ...question, ...changes })).flat().map(recordText);

describe("units, by the documented rounding", () => {
  const pastWindow = { startMs: NOW - 2 * DAY_MS, endMs: NOW - DAY_MS };

  async function readUnitsOf(window: typeof WEEK, limit: number): Promise<number[]> {
    const units: number[] = [];
    let from: Awaited<ReturnType<typeof readPage>>["next"];
    for (let page = 0; page < 5; page += 1) {
      table.resetCounts();
      const { rows, next } = await readPage(table, { ...question, window, limit, from });
      expect(rows).toHaveLength(limit);
      units.push(table.readUnits);
      from = next;
    }
    return units;
  }

  test("a page of 1,000 of a market with 30 trades a second takes at most 4, and 9 for the newest trades", async () => {
    await write(busyTrades(8_000, 30, pastWindow.endMs + 5_000));
    await write(busyTrades(8_000, 30, NOW, 2));
    for (const units of await readUnitsOf(pastWindow, 1_000)) expect(units).toBeLessThanOrEqual(4);
    const [first, ...later] = await readUnitsOf(WEEK, 1_000);
    expect(first).toBeLessThanOrEqual(9);
    for (const units of later) expect(units).toBeLessThanOrEqual(4);
  });

  test("pages of 1,000 trades of one market take exactly this much, so that a dearer page is noticed", async () => {
    await write(busyTrades(8_000, 30, pastWindow.endMs + 5_000));
    expect(await readUnitsOf(pastWindow, 1_000)).toEqual([4, 3.5, 3.5, 3.5, 4]);
    table.resetCounts();
    await readPage(table, { ...question, window: pastWindow, limit: 1_000, yield: 55 });
    expect([table.readUnits, table.questions.length]).toEqual([3.5, 1]);
    table.resetCounts();
    await write(busyTrades(10_000, 30, NOW, 3));
    expect(table.writeUnits).toBe(334);
  });

  test("`limit=1` on that market takes at most 3, wherever it reads", async () => {
    await write(busyTrades(2_000, 30, NOW));
    await write(busyTrades(2_000, 30, pastWindow.endMs + 5_000, 2));
    for (const units of await readUnitsOf(WEEK, 1)) expect(units).toBeLessThanOrEqual(3);
    for (const units of await readUnitsOf(pastWindow, 1)) expect(units).toBeLessThanOrEqual(3);
  });

  test.each([0, 1, 3])("30 days of a market with %d trades take 2 queries and 1.5 units", async (count) => {
    await write(Array.from({ length: count }, (_, n) => trade(n, NOW - n * 9 * DAY_MS)));
    expect(await list({ window: MONTH })).toHaveLength(count);
    expect(table.questions).toHaveLength(2);
    expect(table.readUnits).toBeLessThanOrEqual(1.5);
  });

  test("1,000 trades of a bulk import take at most 35 writes, at 30 and at 500 trades a second", async () => {
    for (const perSecond of [30, 500]) {
      table.resetCounts();
      await write(busyTrades(20_000, perSecond, NOW, perSecond));
      expect(table.writeUnits / 20).toBeLessThanOrEqual(35);
    }
  });

  test("pages through a burst in one millisecond do not read it again from its beginning", async () => {
    await write(Array.from({ length: 5_000 }, (_, n) => trade(n, NOW - DAY_MS)));
    expect(await list({ limit: 100 })).toHaveLength(5_000);
    // 20 segments of some 5 KB: at best 1 page in 2.5 begins a new one, and 4 are read for each.
    expect(table.readUnits).toBeLessThanOrEqual(50 * 3);
  });
});

describe("consistency", () => {
  test.each([
    [30_000, [true, true]],
    [30_001, [true, false]],
  ])("what follows a query that reached down to %d ms before now: %j", async (agoMs, flags) => {
    // The first query reads three segments, down to the trade of `agoMs`.
    await write([trade(1, NOW - 1), trade(2, NOW - 10_000), trade(3, NOW - agoMs), trade(4, NOW - 40_000)]);
    await readPage(table, { ...question, limit: 4 });
    expect(table.questions.slice(0, 2).map(({ isConsistent }) => isConsistent)).toEqual(flags);
  });

  test.each([
    [0, 30_000],
    [10_000, 40_000],
    [30_000, 60_000],
    [DAY_MS, 60_000],
    [-1_000, 30_000],
  ])(
    "a page of a listing that began %d ms ago is read strongly where it begins %d ms ago at most",
    async (agoMs, strongMs) => {
      for (const apartMs of [strongMs, strongMs + 1]) {
        const position = { tradedAt: NOW - apartMs, id: "0".repeat(32) };
        const from = { begunAt: NOW - agoMs, position, resumeAt: position, yield: 1 };
        table.resetCounts();
        await readPage(table, { ...question, from });
        expect(table.questions[0]?.isConsistent).toBe(apartMs === strongMs);
      }
    },
  );

  test.each([
    [RESUME_MS_MAX, "where its cursor says"],
    [RESUME_MS_MAX + 1, "where the two seconds of its position end"],
  ])("a page of a listing that began %d ms ago begins to read %s", async (agoMs, where) => {
    const stretchEnd = Math.floor(NOW / 2_000) * 2_000 - 1;
    const position = { tradedAt: stretchEnd - 1_500, id: "0".repeat(32) };
    const resumeAt = { tradedAt: stretchEnd - 1_400, id: "0".repeat(32) };
    await readPage(table, { ...question, from: { begunAt: NOW - agoMs, position, resumeAt, yield: 1 } });
    const last = where === "where its cursor says" ? resumeAt : lastPlaceAt(stretchEnd);
    expect(table.questions[0]?.to).toEqual(highestKeyAt(last));
  });

  describe("trades that were stored before a listing began are listed, although eventual reads lag:", () => {
    /** Lists from a store whose eventual reads see nothing of the last 30 seconds. */
    async function listLagging(trades: readonly Trade[], now: number, limit: number): Promise<number> {
      const [whole, lagging] = [new SegmentTable(), new SegmentTable()];
      for (const one of trades) {
        await putTrades(whole, SYMBOL, [one]);
        if (one.tradedAt < now - 30_000) await putTrades(lagging, SYMBOL, [one]);
      }
      const source: SegmentSource = { page: (asked) => (asked.isConsistent ? whole : lagging).page(asked) };
      const window = { startMs: now - DAY_MS, endMs: now };
      return (await listAll(source, { ...question, window, now, limit })).flat().length;
    }

    test.each([1, 10, 100, 1_000])("trades that came one by one, in pages of %d", async (limit) => {
      const trades = Array.from({ length: 801 }, (_, n) => trade(n, NOW - n * 50));
      expect(await listLagging(trades, NOW, limit)).toBe(801);
    });

    test.each([5, 30_000])("trades of before a border of buckets that lies %d ms back", async (sinceMs) => {
      const border = Math.floor(NOW / BUCKET_MS) * BUCKET_MS;
      const now = border + sinceMs;
      const trades = [1, 10, 20_000, 40_000].map((agoMs, n) => trade(n, border - agoMs));
      expect(await listLagging(trades, now, 100)).toBe(4);
    });
  });

  test.each([
    [-30_000, true],
    [-30_001, false],
    [365 * DAY_MS, true],
  ])("a range that ends %d ms from now: %s", async (apartMs, isConsistent) => {
    await readPage(table, { ...question, window: { startMs: NOW - DAY_MS, endMs: NOW + apartMs } });
    expect(table.questions[0]?.isConsistent).toBe(isConsistent);
  });
});

describe("the trades of a page", () => {
  test("both ends of a range belong to it", async () => {
    const trades = [-1, 0, 5, 10, 11].map((offset, n) => trade(n, NOW - 100 + offset));
    await write(trades);
    const inside = trades.slice(1, 4).toReversed().map(recordText);
    expect(await list({ window: { startMs: NOW - 100, endMs: NOW - 90 } })).toEqual(inside);
  });

  test("trades of one millisecond come by id, highest first", async () => {
    const ids = ["00000000000000000000000000000002", "ffffffffffffffffffffffffffffffff", "0".repeat(32)];
    await write(ids.map((id, n) => trade(n, NOW - 5, { id })));
    const pages = await listAll(table, { ...question, limit: 1 });
    expect(pages.flat().map(({ id }) => id)).toEqual([ids[1], ids[0], ids[2]]);
  });

  test("a trade is shown from its publication on, and not a millisecond before", async () => {
    await write([trade(1, NOW - 1_000, { publishedAt: NOW + 1 }), trade(2, NOW - 2_000)]);
    expect(await list()).toHaveLength(1);
    expect(await list({ now: NOW + 1 })).toHaveLength(2);
  });

  describe("a publication during a listing does not change the listing:", () => {
    const old = [trade(1, NOW - 1_000), trade(2, NOW - 2_000), trade(3, NOW - 3_000)];
    const late = trade(4, NOW - 2_500, { publishedAt: NOW + 1 });

    /** The pages of a listing, each requested this much later than the previous one. */
    async function listSlowly(stepMs: number): Promise<string[]> {
      const shown: string[] = [];
      let from: NextPage | undefined;
      let now = NOW;
      do {
        const page = await readPage(table, { ...question, limit: 1, now, from });
        shown.push(...page.rows.map(tradeOf).map(recordText));
        from = page.next;
        now += stepMs;
      } while (from !== undefined);
      return shown;
    }

    test("a trade", async () => {
      await write([...old, late]);
      expect(await listSlowly(1)).toEqual(old.map(recordText));
    });

    test("a correction, and a withdrawal", async () => {
      await write(old);
      await write([{ ...(old[1] as Trade), price: "1.00", publishedAt: NOW + 1 }], 1);
      await write([{ ...(old[2] as Trade), publishedAt: NOW + 2, withdrawn: true }], 1);
      expect(await listSlowly(1)).toEqual(old.map(recordText));
      expect(await list({ now: NOW + 2 })).toHaveLength(2);
    });

    test("and a listing that claims to have begun in the future shows what is published now", async () => {
      await write([...old, late]);
      const { next } = await readPage(table, { ...question, limit: 1 });
      for (const aheadMs of [0, 1]) {
        const from = { ...(next as NextPage), begunAt: NOW + 1 };
        const { rows } = await readPage(table, { ...question, from, now: NOW + aheadMs });
        expect(rows).toHaveLength(2 + aheadMs);
      }
    });
  });

  test("a correction that is not published yet leaves the first report in its place", async () => {
    const wrong = trade(1, NOW - 1_000, { price: "1.00" });
    await write([wrong]);
    await write([{ ...wrong, price: "2.00", publishedAt: NOW + 60_000 }], 1);
    expect(await list()).toEqual([recordText(wrong)]);
  });

  test("a page that is exactly full and the last has no next one", async () => {
    await write([1, 2, 3, 4].map((n) => trade(n, NOW - n)));
    expect(await listAll(table, { ...question, limit: 2 })).toHaveLength(2);
    await withdrawTrades(table, SYMBOL, [trade(4, NOW - 4)], 1);
    expect(await listAll(table, { ...question, limit: 3 })).toHaveLength(1);
  });

  test("thousands of withdrawn trades are passed over in one page", async () => {
    const busted = busyTrades(5_000, 100, NOW - DAY_MS);
    await write([...busted, trade(1, NOW - 2 * DAY_MS), trade(2, NOW)]);
    await withdrawTrades(table, SYMBOL, busted, 1);
    const pages = await listAll(table, { ...question, limit: 1 });
    expect(pages.map((page) => page.length)).toEqual([1, 1]);
  });
});

describe("a page over a stretch without a trade to show", () => {
  /** Bytes of a segment's item beside its payload: its keys, and the names of its attributes. */
  const OVERHEAD_BYTES = 44;
  const END = NOW - DAY_MS;
  /** 250 trades in four seconds: two segments, and two of their withdrawals. */
  const busted = (count: number, endMs = END) =>
    Array.from({ length: count }, (_, n) => trade(n, endMs - 16 * n));
  const withdraw = (trades: readonly Trade[]) => withdrawTrades(table, SYMBOL, trades, 1);

  /** Every page of a listing, as its reader sees it and with what it cost. */
  async function walk(changes: Partial<PageQuestion> = {}) {
    const pages: { shown: readonly string[]; units: number; next: NextPage | undefined }[] = [];
    let from: NextPage | undefined;
    do {
      const before = table.readUnits;
      const { rows, next } = await readPage(table, { ...question, ...changes, from });
      pages.push({ shown: rows.map(tradeOf).map(recordText), units: table.readUnits - before, next });
      from = next;
    } while (from !== undefined);
    return pages;
  }

  test("costs no more than its bound, however long the stretch is, and the listing continues below the stretch", async () => {
    const trades = busted(120_000);
    const good = [trade(1e6, END + 5_000), trade(2e6, END - 16 * 120_000 - 5_000)];
    await write([...trades, ...good]);
    await withdraw(trades);
    for (const limit of [1, 1_900]) {
      const pages = await walk({ limit });
      expect(pages.flatMap(({ shown }) => shown)).toEqual(good.map(recordText));
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.length).toBeLessThan(5);
      // The last query of a page is as large as the units that are left pay for, at the price of the queries before.
      for (const { units } of pages) expect(units).toBeLessThanOrEqual(READ_UNITS_MAX + 2);
    }
  });

  /** Reading costs so much here that a page passes only some dozen segments. */
  const dear = { unitBytes: 32, queryBytesMax: 8_192 };

  test("continues with the trade that it reached, wherever that is", async () => {
    const first = busted(40, END + 1);
    for (let count = 210; count < 235; count += 1) {
      table = new SegmentTable(dear);
      const trades = Array.from({ length: count }, (_, n) => trade(n, END - 2_000 * n));
      const good = trade(1e6, END - 2_000 * count);
      const beside = ["0", "f"].map((digit) => ({ ...good, id: digit.repeat(32) }));
      await write([...trades, ...first, good, ...beside]);
      await withdraw([...trades, ...first]);
      const pages = await walk({ limit: 2 });
      expect(pages.flatMap(({ shown }) => shown)).toHaveLength(3);
      expect(pages[0]?.shown).toEqual([]);
    }
  });

  test("above the end of a range keeps the last possible trade of that end", async () => {
    table = new SegmentTable(dear);
    const last = trade(1, END, { id: "f".repeat(32) });
    const above = Array.from({ length: 1_999 }, (_, n) => trade(n + 2, END + 1 + n));
    await write([last]);
    for (const one of above) await write([one]);
    const pages = await walk({ window: { startMs: END - DAY_MS, endMs: END } });
    expect(pages.length).toBeGreaterThan(2);
    expect(pages[0]).toMatchObject({ shown: [], next: { position: { tradedAt: END, id: last.id } } });
    expect(pages.flatMap(({ shown }) => shown)).toEqual([recordText(last)]);
  });

  test("that ends where a bucket ends continues in the bucket below", async () => {
    const border = Math.floor(NOW / BUCKET_MS) * BUCKET_MS;
    let endedThere = 0;
    for (let count = 60; count < 100; count += 1) {
      table = new SegmentTable(dear);
      const single = Array.from({ length: count }, (_, n) => trade(n, border + 2_000 * (n + 1)));
      // The lowest segment of the bucket is dearer than a page can know.
      const trades = [...single, ...Array.from({ length: 100 }, (_, n) => trade(1_000 + n, border + n))];
      const good = trade(1e6, border - 1);
      await write([...trades, good]);
      await withdraw(trades);
      const endMs = border + DAY_MS;
      const pages = await walk({ window: { startMs: border - DAY_MS, endMs }, now: endMs + DAY_MS });
      expect(pages.flatMap(({ shown }) => shown)).toEqual([recordText(good)]);
      const last = { tradedAt: border - 1, id: "f".repeat(32) };
      endedThere += pages.filter(({ next }) => next && comparePlaces(next.position, last) === 0).length;
    }
    expect(endedThere).toBeGreaterThan(0);
  });

  test("leaves more behind than the next one reads again, where overlapping segments of two seconds exceed its bound", async () => {
    table = new SegmentTable(dear);
    const trades = Array.from({ length: 16_000 }, (_, n) => trade(n, END - (n % 1_900)));
    for (let each = 0; each < 40; each += 1) await write(trades.filter((_, n) => n % 40 === each));
    await withdraw(trades.slice(10));
    const bytes = table.segments.reduce((sum, { payload }) => sum + payload.length + OVERHEAD_BYTES, 0);
    const pages = await walk();
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(({ shown }) => shown)).toEqual(trades.slice(0, 10).map(recordText));
    const units = pages.reduce((sum, page) => sum + page.units, 0);
    expect(units).toBeLessThan((2 * bytes) / (2 * dear.unitBytes));
  });

  test("is full, or the last, where its reads stay within its bound: one segment per trade, and many copies of each", async () => {
    const digits = (n: number) => `0.${String(n).padStart(37, "7")}`;
    const sparse = Array.from({ length: 1_901 }, (_, n) => trade(n, END - 2_500 * n));
    const copied = Array.from({ length: 1_901 }, (_, n) =>
      trade(n, END - 7 * DAY_MS - 20 * n, { price: digits(n), quantity: digits(2 * n) }),
    );
    await write(sparse);
    for (let every = 1; every <= 8; every += 1)
      for (let each = 0; each < every; each += 1) await write(copied.filter((_, n) => n % every === each));
    for (const endMs of [END, END - 7 * DAY_MS]) {
      const window = { startMs: endMs - 6 * DAY_MS, endMs };
      const { rows, next } = await readPage(table, { ...question, window });
      expect([rows.length, next === undefined]).toEqual([1_900, false]);
    }
  });
});

describe("a page continues after the store's own key", () => {
  test("even when the store returned no segment", async () => {
    await write([1, 2, 3].map((n) => trade(n, NOW - n * 10_000)));
    const reached = new Set<string>();
    const slow: SegmentSource = {
      page: async (asked) => {
        const key = (asked.after ?? asked.to).toString("hex");
        if (reached.has(key)) return table.page(asked);
        reached.add(key);
        return { segments: [], after: asked.after ?? asked.to, units: 0.5 };
      },
    };
    const pages = await listAll(slow, { ...question, limit: 2 });
    expect(pages.map((page) => page.length)).toEqual([2, 1]);
  });
});

describe("corrections and repetitions", () => {
  const first = trade(7, NOW - 3_000);

  test("the highest revision counts, whichever is written last", async () => {
    await write([{ ...first, price: "3.00" }], 3);
    await write([{ ...first, price: "2.00" }], 2);
    await write([first]);
    expect(await list()).toEqual([recordText({ ...first, price: "3.00" })]);
  });

  test("a withdrawn trade is gone, and comes back with a still higher revision", async () => {
    await write([first, trade(8, NOW - 2_900)]);
    await withdrawTrades(table, SYMBOL, [first], 1);
    expect(await list()).toEqual([recordText(trade(8, NOW - 2_900))]);
    await write([first], 2);
    expect(await list()).toHaveLength(2);
  });

  test("the same batch again overwrites itself", async () => {
    const trades = busyTrades(1_000, 50, NOW);
    await write(trades);
    const size = table.size;
    await write(trades.toReversed());
    expect(table.size).toBe(size);
  });

  test("a withdrawal is not overlooked when a query ends between it and the withdrawn trade", async () => {
    // Two segments end with the withdrawn trade; only their digests decide which of them is read first.
    for (let n = 0; n < 20; n += 1) {
      table = new SegmentTable();
      const shown = trade(100, NOW - 1_000);
      const busted = trade(n, NOW - 10_000);
      await write([shown, busted]);
      await write([{ ...shown, price: "1.00" }], 1);
      await withdrawTrades(table, SYMBOL, [busted], 1);
      const pages = await listAll(table, { ...question, limit: 1 });
      expect(pages.map((page) => page.map(recordText))).toEqual([[recordText({ ...shown, price: "1.00" })]]);
    }
  });
});
