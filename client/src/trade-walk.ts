import type { Channel } from "./channel.ts";
import type { Trade } from "./contract.ts";
import type { CallOptions } from "./options.ts";
import { positionAfter, type TradeResume } from "./trade-position.ts";
import { type ReadPage, TradeReader } from "./trade-reader.ts";

/** How far a walk has come. */
export interface TradeProgress {
  /** Trades that were given, since this walk was begun or resumed. */
  readonly trades: number;
  /** The instant of the last trade that was given, Unix epoch milliseconds; undefined before the first. */
  readonly oldestMs: number | undefined;
  /** Pages whose trades were given, or are being given. */
  readonly pages: number;
  /** Tokens that they cost. */
  readonly tokens: number;
  /** Time that was spent waiting for tokens, or before repetitions, in milliseconds. */
  readonly waitedMs: number;
  /** Goes on right after the last trade that was given: nothing is repeated, nothing is lost. */
  readonly resume: TradeResume;
}

/** How a walk is made. */
export interface WalkOptions extends CallOptions {
  /** The most trades of a page. */
  readonly limit: number;
  /** Told after each page, once all of its trades were given. */
  readonly onProgress: ((progress: TradeProgress) => void) | undefined;
}

/** A walk through a market's trades, newest first. It can be iterated once. */
export class TradeWalk implements AsyncIterable<Trade> {
  readonly #channel: Channel;
  readonly #begin: TradeResume;
  readonly #options: WalkOptions;
  readonly #counts = { trades: 0, pages: 0, tokens: 0, waitedMs: 0 };
  /** The page that is being given, and how many of its trades were. */
  #page: Pick<ReadPage, "trades" | "before" | "after">;
  #givenOfPage = 0;
  #oldestMs: number | undefined;
  #isBegun = false;

  constructor(channel: Channel, begin: TradeResume, options: WalkOptions) {
    this.#channel = channel;
    this.#begin = begin;
    this.#options = options;
    this.#page = { trades: [], before: begin, after: begin };
  }

  /** How far the walk has come, to the trade: `progress.resume` goes on after the last one that was given. */
  get progress(): TradeProgress {
    const { symbol, fromMs } = this.#begin;
    const { trades, before, after } = this.#page;
    const { untilMs, given } =
      this.#givenOfPage === trades.length ? after : positionAfter(before, trades.slice(0, this.#givenOfPage));
    return { ...this.#counts, oldestMs: this.#oldestMs, resume: { symbol, fromMs, untilMs, given } };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Trade, void, undefined> {
    if (this.#isBegun) throw new TypeError("A walk can be iterated once: call trades() again.");
    this.#isBegun = true;
    const { signal } = this.#options;
    const stop = new AbortController();
    const abort = (): void => stop.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      signal?.throwIfAborted();
      yield* this.#trades(this.#reader(stop.signal), stop.signal);
    } finally {
      signal?.removeEventListener("abort", abort);
      // Ends the reading ahead.
      stop.abort();
    }
  }

  #reader(signal: AbortSignal): TradeReader {
    const onWait: CallOptions["onWait"] = (ms, failure) => {
      this.#counts.waitedMs += ms;
      this.#options.onWait?.(ms, failure);
    };
    return new TradeReader(this.#channel, this.#begin, { limit: this.#options.limit, signal, onWait });
  }

  /** Gives the trades of each page while the next one is read. */
  async *#trades(reader: TradeReader, signal: AbortSignal): AsyncGenerator<Trade, void, undefined> {
    for (let next = reader.next(); ; ) {
      const page = await next;
      if (page === undefined) return;
      this.#counts.pages += 1;
      this.#counts.tokens += page.tokens;
      next = reader.next();
      // A failure is thrown where the page is awaited, and by then all trades before it were given.
      next.catch(() => {});
      this.#page = page;
      this.#givenOfPage = 0;
      for (const trade of page.trades) {
        signal.throwIfAborted();
        this.#givenOfPage += 1;
        this.#counts.trades += 1;
        this.#oldestMs = trade.tdt;
        yield trade;
      }
      this.#options.onProgress?.(this.progress);
    }
  }
}
