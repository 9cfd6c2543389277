import type * as fc from "fast-check";
import { SegmentTable } from "../../bench/support/segment-table.ts";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { type PageQuestion, readPage, type SegmentSource } from "../../lib/trades/trade-reader.ts";
import type { SegmentQuestion, StoredSegment } from "../../lib/trades/trade-store.ts";
import { type CompactedStore, SETTLE_MS } from "../../ops/segments/compact.ts";

/** Turns of the others between the beginning of a pause and its end. */
const PAUSE_TURNS = 4;

/**
 * A world in which readers, writers and compactions of a table take turns, in an order that the scheduler draws. Reads
 * that are not strongly consistent may see an earlier state of the table, also each query of a page another one. The
 * clock stands still but in pauses. A pause ends when all that is brief and was under way has ended, and every copy of
 * the table has what was written before the pause.
 */
export class Interleaving {
  /** Epoch milliseconds. */
  now: number;
  readonly #scheduler: fc.Scheduler;
  readonly #table: SegmentTable;
  readonly #lags: readonly number[];
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #states: (readonly StoredSegment[])[];
  #oldestState = 0;
  #reads = 0;

  /** @param lags how many states the reads lag behind, in turn. */
  constructor(scheduler: fc.Scheduler, table: SegmentTable, now: number, lags: readonly number[]) {
    this.#scheduler = scheduler;
    this.#table = table;
    this.#lags = lags;
    this.#states = [table.segments];
    this.now = now;
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

  async turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await this.#scheduler.schedule(Promise.resolve(), "turn");
  }

  /** A brief task that begins after this many turns of the others. */
  async later<Result>(turns: number | undefined, begin: () => Promise<Result>): Promise<Result> {
    await this.turns(turns ?? 0);
    return await this.brief(begin);
  }

  /** A compaction. Each of its steps is brief. */
  async compaction<Result>(begin: (pause: () => Promise<void>) => Promise<Result>): Promise<Result> {
    let endStep = this.#beginStep();
    const pause = async () => {
      endStep();
      await this.#pause();
      endStep = this.#beginStep();
    };
    try {
      return await begin(pause);
    } finally {
      endStep();
    }
  }

  /** All pages of a listing, with this many turns of the others between them. */
  async listPages(store: SegmentSource, first: PageQuestion, turns: number): Promise<Trade[]> {
    const seen: Trade[] = [];
    let from: PageQuestion["from"];
    do {
      const page = await this.brief(() => readPage(store, { ...first, from, now: this.now }));
      seen.push(...page.rows.map(tradeOf));
      from = page.next;
      await this.turns(turns);
    } while (from !== undefined);
    return seen;
  }

  /** The table, each call of which waits for its turn. */
  get store(): CompactedStore & SegmentSource {
    const table = this.#table;
    const turn = async <Result>(name: string, call: () => Promise<Result>): Promise<Result> => {
      await this.#scheduler.schedule(Promise.resolve(), name);
      const result = await call();
      if (name === "put" || name === "remove") this.#states.push(table.segments);
      return result;
    };
    return {
      put: (segments) => turn("put", () => table.put(segments)),
      removeAll: (keys) => turn("remove", () => table.removeAll(keys)),
      withdrawals: (symbol, span) => turn("look", () => table.withdrawals(symbol, span)),
      segmentsWithin: (symbol, span) => turn("read", () => table.segmentsWithin(symbol, span)),
      page: (question) => turn("page", () => this.#page(question)),
    };
  }

  async #page(question: SegmentQuestion) {
    if (question.isConsistent) return await this.#table.page(question);
    this.#reads += 1;
    const lag = this.#lags[this.#reads % this.#lags.length] ?? 0;
    const copy = new SegmentTable();
    await copy.put(this.#states[Math.max(this.#oldestState, this.#states.length - 1 - lag)] ?? []);
    return await copy.page(question);
  }

  async #pause(): Promise<void> {
    const state = this.#states.length - 1;
    await this.turns(PAUSE_TURNS);
    this.now += SETTLE_MS;
    this.#oldestState = Math.max(this.#oldestState, state);
    await Promise.allSettled(this.#underWay);
  }

  #beginStep(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#underWay.add(promise);
    return () => {
      this.#underWay.delete(promise);
      resolve();
    };
  }
}
