import * as fc from "fast-check";
import { expect, test } from "vitest";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import { BUCKET_MS } from "../../lib/trades/segment.ts";
import { comparePlaces, type Trade } from "../../lib/trades/trade.ts";
import { type PageQuestion, readPage } from "../../lib/trades/trade-reader.ts";
import { withdrawTrades, writeTrades } from "../../lib/trades/trade-writer.ts";
import { SegmentTable } from "../support/segment-table.ts";
import { listAll, placeText, recordText, trade } from "../support/trades.ts";

const SYMBOL = "BTC-USD";
/** A boundary of two buckets lies in the middle of what is traded. */
const MIDDLE = BUCKET_MS * 649;
const WINDOW = { startMs: MIDDLE - 15 * 86_400_000, endMs: MIDDLE + 15 * 86_400_000 };

type Action =
  | { readonly kind: "report"; readonly offsets: readonly number[] }
  | { readonly kind: "burst"; readonly offset: number; readonly count: number; readonly stepMs: number }
  | { readonly kind: "again"; readonly batch: number; readonly skip: number }
  | { readonly kind: "correct" | "withdraw" | "restore"; readonly pick: number; readonly price: number }
  | { readonly kind: "page"; readonly reader: number };

const offset = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -6_000, max: 6_000 }),
  fc.integer({ min: -15 * 86_400_000, max: 15 * 86_400_000 }),
);

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant("report" as const),
    offsets: fc.array(offset, { minLength: 1, maxLength: 30 }),
  }),
  fc.record({
    kind: fc.constant("burst" as const),
    offset,
    count: fc.integer({ min: 200, max: 700 }),
    stepMs: fc.constantFrom(0, 0, 1, 7, 40),
  }),
  fc.record({
    kind: fc.constant("again" as const),
    batch: fc.integer({ min: 1, max: 400 }),
    skip: fc.nat(50),
  }),
  fc.record({
    kind: fc.constantFrom("correct" as const, "withdraw" as const, "restore" as const),
    pick: fc.nat(10_000),
    price: fc.nat(100),
  }),
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("page" as const), reader: fc.nat(2) }) },
);

/** What is true, kept in the plainest way: each trade's newest record, and how often it was changed. */
class Ledger {
  readonly reported: Trade[] = [];
  readonly current = new Map<string, { readonly record: Trade; readonly revision: number }>();
  /** Everything that was ever true of a place. */
  readonly history = new Map<string, Set<string>>();

  set(record: Trade, revision: number): void {
    this.current.set(placeText(record), { record, revision });
    const history = this.history.get(placeText(record)) ?? new Set();
    this.history.set(placeText(record), history.add(recordText(record)));
  }

  /** The records that readers see, newest first. */
  shown(): Trade[] {
    return [...this.current.values()]
      .map(({ record }) => record)
      .filter((record) => record.withdrawn !== true)
      .filter(({ tradedAt }) => tradedAt >= WINDOW.startMs && tradedAt <= WINDOW.endMs)
      .sort((a, b) => comparePlaces(b, a));
  }
}

class Market {
  readonly table = new SegmentTable();
  readonly ledger = new Ledger();
  #count = 0;

  async report(instants: readonly number[]): Promise<void> {
    const trades = instants.map((instant) => trade(this.#count++, instant));
    for (const record of trades) {
      this.ledger.reported.push(record);
      this.ledger.set(record, 0);
    }
    await writeTrades(this.table, SYMBOL, trades);
  }

  async act(action: Action): Promise<void> {
    const { reported, current } = this.ledger;
    if (action.kind === "report") await this.report(action.offsets.map((offset) => MIDDLE + offset));
    if (action.kind === "burst") {
      const { offset, count, stepMs } = action;
      await this.report(Array.from({ length: count }, (_, n) => MIDDLE + offset + n * stepMs));
    }
    if (action.kind === "again") {
      for (let at = action.skip; at < reported.length; at += action.batch) {
        await writeTrades(this.table, SYMBOL, reported.slice(at, at + action.batch));
      }
    }
    if (action.kind !== "correct" && action.kind !== "withdraw" && action.kind !== "restore") return;
    const picked = reported[action.pick % reported.length];
    if (picked === undefined) return;
    const revision = (current.get(placeText(picked))?.revision ?? 0) + 1;
    if (action.kind === "withdraw") {
      this.ledger.set({ ...picked, withdrawn: true }, revision);
      await withdrawTrades(this.table, SYMBOL, [picked], revision);
      return;
    }
    const record = action.kind === "restore" ? picked : { ...picked, price: `${action.price}.50` };
    this.ledger.set(record, revision);
    await writeTrades(this.table, SYMBOL, [record], revision);
  }
}

/** A client that walks a listing page by page and remembers what was there when it began. */
class Reader {
  readonly #market: Market;
  readonly #limit: number;
  #from: PageQuestion["from"];
  #expected: readonly Trade[] = [];
  #seen: Trade[] = [];
  #isUnderWay = false;

  constructor(market: Market, limit: number) {
    this.#market = market;
    this.#limit = limit;
  }

  async step(): Promise<void> {
    if (!this.#isUnderWay) {
      this.#expected = this.#market.ledger.shown();
      this.#seen = [];
      this.#isUnderWay = true;
    }
    const question = { symbol: SYMBOL, window: WINDOW, limit: this.#limit, now: MIDDLE + 20 * 86_400_000 };
    const page = await readPage(this.#market.table, { ...question, from: this.#from });
    if (page.next !== undefined) expect(page.rows.length).toBe(this.#limit);
    this.#seen.push(...page.rows.map(tradeOf));
    this.#from = page.next;
    if (page.next === undefined) this.#judge();
  }

  async finish(): Promise<void> {
    while (this.#isUnderWay) await this.step();
  }

  #judge(): void {
    this.#isUnderWay = false;
    for (const [at, record] of this.#seen.entries()) {
      const before = this.#seen[at - 1];
      expect(before === undefined || comparePlaces(before, record) > 0, "newest first, none twice").toBe(
        true,
      );
      expect(this.#market.ledger.history.get(placeText(record))).toContain(recordText(record));
    }
    const seen = new Set(this.#seen.map(placeText));
    const { current } = this.#market.ledger;
    const lost = this.#expected.filter((record) => !seen.has(placeText(record)));
    // What was withdrawn on the way may be missing, and nothing else.
    expect(lost.filter((record) => current.get(placeText(record))?.record.withdrawn !== true)).toEqual([]);
  }
}

const limits = fc.tuple(
  fc.integer({ min: 1, max: 9 }),
  fc.integer({ min: 10, max: 250 }),
  fc.integer({ min: 251, max: 1_900 }),
);

test("whatever is written meanwhile, a listing has every trade once, in order, as in a plain sorted array", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30 }), limits, async (actions, sizes) => {
      const market = new Market();
      const readers = sizes.map((size) => new Reader(market, size));
      const writes = actions.filter(({ kind }) => kind !== "page");
      // Half of the writes come between pages, the others between the queries of one page.
      market.table.beforeQuery = async () => {
        const next = writes.length % 2 === 0 ? writes.shift() : undefined;
        if (next !== undefined) await market.act(next);
      };
      for (const next of actions) {
        if (next.kind === "page") await readers[next.reader]?.step();
        else await market.act(writes.shift() ?? { kind: "report", offsets: [0] });
      }
      for (const reader of readers) await reader.finish();
      market.table.beforeQuery = async () => {};
      const truth = market.ledger.shown().map(recordText);
      for (const limit of [...sizes, 1_900]) {
        const question = { symbol: SYMBOL, window: WINDOW, limit, now: WINDOW.endMs };
        const pages = await listAll(market.table, question);
        expect(pages.flat().map(recordText)).toEqual(truth);
        expect(pages.length).toBe(Math.max(1, Math.ceil(truth.length / limit)));
      }
    }),
    { numRuns: 30 },
  );
});
