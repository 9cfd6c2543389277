import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SegmentTable } from "../../bench/support/segment-table.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { BUCKET_MS } from "../../lib/trades/segment.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { withdrawTrades } from "../../ops/import/trades/withdraw-trades.ts";
import { cases } from "../support/cases.ts";
import { ListingClient, TradeLedger } from "../support/trade-ledger.ts";
import { listAll, recordText, trade } from "../support/trades.ts";

const SYMBOL = "BTC-USD";
/** A boundary of two buckets lies in the middle of the trades. */
const MIDDLE = BUCKET_MS * 649;
const WINDOW = { startMs: MIDDLE - 15 * 86_400_000, endMs: MIDDLE + 15 * 86_400_000 };

type Action =
  | { readonly kind: "report"; readonly offsets: readonly number[] }
  | { readonly kind: "burst"; readonly offset: number; readonly count: number; readonly stepMs: number }
  | { readonly kind: "again"; readonly batch: number; readonly skip: number }
  | Change
  | { readonly kind: "page"; readonly reader: number };

interface Change {
  readonly kind: "correct" | "withdraw" | "restore";
  readonly pick: number;
  readonly price: number;
}

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
    count: fc.integer({ min: 200, max: 500 }),
    stepMs: fc.constantFrom(0, 0, 1, 7, 40),
  }),
  fc.record({
    kind: fc.constant("again" as const),
    batch: fc.integer({ min: 20, max: 400 }),
    skip: fc.nat(50),
  }),
  fc.record({
    kind: fc.constantFrom("correct" as const, "withdraw" as const, "restore" as const),
    pick: fc.nat(10_000),
    price: fc.nat(100),
  }),
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("page" as const), reader: fc.nat(2) }) },
);

class Market {
  readonly table = new SegmentTable();
  readonly ledger = new TradeLedger();
  readonly #reported: Trade[] = [];

  async act(action: Action): Promise<void> {
    if (action.kind === "report") await this.#report(action.offsets.map((offset) => MIDDLE + offset));
    if (action.kind === "burst") {
      const { offset, count, stepMs } = action;
      await this.#report(Array.from({ length: count }, (_, n) => MIDDLE + offset + n * stepMs));
    }
    if (action.kind === "again") {
      for (let at = action.skip; at < this.#reported.length; at += action.batch) {
        await putTrades(this.table, SYMBOL, this.#reported.slice(at, at + action.batch));
      }
    }
    if (action.kind === "correct" || action.kind === "withdraw" || action.kind === "restore")
      await this.#change(action);
  }

  async #report(instants: readonly number[]): Promise<void> {
    const first = this.#reported.length;
    const trades = instants.map((instant, n) => trade(first + n, instant));
    this.#reported.push(...trades);
    await this.#write(trades, 0);
  }

  async #change({ kind, pick, price }: Change): Promise<void> {
    const picked = this.#reported[pick % this.#reported.length];
    if (picked === undefined) return;
    const revision = this.ledger.revisionOf(picked) + 1;
    if (kind === "restore") await this.#write([picked], revision);
    if (kind === "correct") await this.#write([{ ...picked, price: `${price}.50` }], revision);
    if (kind !== "withdraw") return;
    const withdrawn = { ...picked, withdrawn: true };
    this.ledger.announce(withdrawn);
    await withdrawTrades(this.table, SYMBOL, [picked], revision);
    this.ledger.confirm(withdrawn, revision);
  }

  async #write(trades: readonly Trade[], revision: number): Promise<void> {
    for (const record of trades) this.ledger.announce(record);
    await putTrades(this.table, SYMBOL, trades, revision);
    for (const record of trades) this.ledger.confirm(record, revision);
  }
}

const limits = fc.tuple(
  fc.oneof(fc.constant(1), { weight: 4, arbitrary: fc.integer({ min: 5, max: 40 }) }),
  fc.integer({ min: 41, max: 250 }),
  fc.integer({ min: 251, max: 1_900 }),
);

test("whatever is written meanwhile, a listing has every trade once, in order, as in a plain sorted array", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 24 }), limits, async (actions, sizes) => {
      const market = new Market();
      const question = { symbol: SYMBOL, window: WINDOW, now: WINDOW.endMs };
      const readers = sizes.map(
        (limit) => new ListingClient(market.table, market.ledger, { ...question, limit }),
      );
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
      const truth = market.ledger.shown(WINDOW).map(recordText);
      for (const limit of [...sizes, 1_900]) {
        const pages = await listAll(market.table, { ...question, limit });
        expect(pages.flat().map(recordText)).toEqual(truth);
        expect(pages.length).toBe(Math.max(1, Math.ceil(truth.length / limit)));
      }
    }),
    { numRuns: cases(2) },
  );
});
