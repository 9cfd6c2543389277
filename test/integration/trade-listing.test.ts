import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { busyTrades } from "../../bench/support/busy-trades.ts";
import { randomOf } from "../../bench/support/random-of.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { TradeStore } from "../../lib/trades/trade-store.ts";
import { withdrawTrades } from "../../ops/import/trades/withdraw-trades.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";
import { ListingClient, TradeLedger } from "../support/trade-ledger.ts";
import { listAll, NOW, recordText, trade } from "../support/trades.ts";

const SYMBOL = "BTC-USD";
const WINDOW = { startMs: NOW - 30 * 86_400_000, endMs: NOW };
const PAGE_SIZES = [950, 500, 166, 48];

describe.each(testedStores)("on %s", (kind) => {
  let engine: Engine;
  let store: TradeStore;
  let register: TradeRegister;
  beforeAll(async () => {
    engine = await startEngine(kind);
    store = new TradeStore(engine.table("Trades"));
    register = new TradeRegister(engine.table("Trades"));
  });
  afterAll(() => engine.close());

  test("with writers at work, every listing has each trade once and in order, as in a plain sorted array", async () => {
    const ledger = new TradeLedger();
    const question = { symbol: SYMBOL, window: WINDOW, now: NOW };
    const clients = PAGE_SIZES.map((limit) => new ListingClient(store, ledger, { ...question, limit }));
    const writing = new AbortController();
    const writers = Promise.all(
      [1, 2, 3].map((seed) => new Writer(engine, register, ledger, seed).work()),
    ).finally(() => writing.abort());
    const reading = clients.map(async (client) => {
      do await client.step();
      while (!writing.signal.aborted);
      await client.finish();
    });
    await Promise.all([writers, ...reading]);
    engine.settle();
    for (const limit of PAGE_SIZES) {
      const pages = await listAll(store, { ...question, limit });
      expect(pages.flat().map(recordText)).toEqual(ledger.shown(WINDOW).map(recordText));
    }
  });

  test("the store has the same ends of ranges and the same order of keys as we have", async () => {
    const bursts = [0, 5, 1_999, 2_000].flatMap((offset) =>
      Array.from({ length: 300 }, (_, n) => trade(n, NOW - 60_000 + offset)),
    );
    await putTrades(register, "ETH-USD", bursts);
    engine.settle();
    const window = { startMs: NOW - 60_000 + 5, endMs: NOW - 60_000 + 1_999 };
    const pages = await listAll(store, { symbol: "ETH-USD", window, limit: 200, now: NOW });
    expect(pages.map((page) => page.length)).toEqual([200, 200, 200]);
    expect(new Set(pages.flat().map(({ tradedAt }) => tradedAt))).toEqual(
      new Set([window.startMs, window.endMs]),
    );
  });
});

/** One of several sources of trades: batches, late ones, the same again in other batches, corrections. */
class Writer {
  readonly #engine: Engine;
  readonly #register: TradeRegister;
  readonly #ledger: TradeLedger;
  readonly #trades: readonly Trade[];
  readonly #random: () => number;

  constructor(engine: Engine, register: TradeRegister, ledger: TradeLedger, seed: number) {
    this.#engine = engine;
    this.#register = register;
    this.#ledger = ledger;
    this.#random = randomOf(seed);
    this.#trades = busyTrades(400, 40, NOW - 1_000 * seed, seed);
  }

  async work(): Promise<void> {
    for (let at = 0; at < this.#trades.length; ) {
      const batch = this.#trades.slice(at, at + 1 + Math.floor(this.#random() * 100));
      at += batch.length;
      const late = batch.filter(() => this.#random() < 0.1);
      await this.#write(batch.filter((record) => !late.includes(record)));
      await this.#write(late);
      await this.#write(this.#trades.slice(Math.max(0, at - 75), at - 25));
      await this.#change(batch);
    }
  }

  async #write(trades: readonly Trade[], revision = 0): Promise<void> {
    for (const record of trades) this.#ledger.announce(record);
    await putTrades(this.#register, SYMBOL, trades, revision);
    this.#confirm(trades, revision);
  }

  /** Trades made just now are readable at once, all others when every copy of the store has them. */
  #confirm(trades: readonly Trade[], revision: number): void {
    const isRecent = ({ tradedAt }: Trade): boolean => tradedAt >= NOW - 30_000;
    for (const record of trades.filter(isRecent)) this.#ledger.confirm(record, revision);
    if (trades.every(isRecent)) return;
    this.#engine.settle();
    for (const record of trades) this.#ledger.confirm(record, revision);
  }

  async #change([first, second]: readonly Trade[]): Promise<void> {
    if (first === undefined || second === undefined) return;
    await this.#write([{ ...first, price: "1.00" }], 1);
    const withdrawn = { ...second, withdrawn: true };
    this.#ledger.announce(withdrawn);
    await withdrawTrades(this.#register, SYMBOL, [second], 1);
    this.#confirm([withdrawn], 1);
  }
}
