import type { Channel } from "./channel.ts";
import { routes, type Trade, type TradePage, tradePageShape } from "./contract.ts";
import { CountinghouseError } from "./error.ts";
import type { Taken } from "./judge.ts";
import type { CallOptions } from "./options.ts";
import { urlOf } from "./route.ts";
import { newTrades, type Position, positionAfter, type TradeResume } from "./trade-position.ts";
import { costOf, type TradeWindow, WindowPlan } from "./window-plan.ts";

/** How trades are read. */
interface Reading extends CallOptions {
  /** The most trades of a page. */
  readonly limit: number;
}

/** A page that was read, with the positions around it. */
export interface ReadPage {
  readonly trades: readonly Trade[];
  /** The position before the first of the trades. */
  readonly before: Position;
  /** The position when all of them were given. */
  readonly after: Position;
  /** Tokens that the page cost. */
  readonly tokens: number;
}

/** A window in which the reader is. */
interface Stretch {
  readonly window: TradeWindow;
  readonly cursor: string | undefined;
  readonly begunAt: Position;
}

const STALE_IN_VAIN_MAX = 5;

/** Reads a market's trades page by page, newest first, in windows that it adapts to their density. */
export class TradeReader {
  readonly #channel: Channel;
  readonly #begin: TradeResume;
  readonly #reading: Reading;
  readonly #plan: WindowPlan;
  #position: Position;
  #stretch: Stretch | undefined;
  /** Windows, one after the other, that gave nothing until their cursor was refused. */
  #staleInVain = 0;

  constructor(channel: Channel, begin: TradeResume, reading: Reading) {
    this.#channel = channel;
    this.#begin = begin;
    this.#reading = reading;
    this.#plan = new WindowPlan(reading.limit);
    this.#position = begin;
  }

  /** The next page; undefined when all were read. It may be empty. */
  async next(): Promise<ReadPage | undefined> {
    if (this.#position.untilMs < this.#begin.fromMs) return undefined;
    const stretch = this.#stretch ?? this.#nextStretch();
    const answer = await this.#fetch(stretch);
    if (answer === undefined) return await this.next();
    const page = answer.value as TradePage;
    const before = this.#position;
    this.#check(page, stretch, answer.unexpected);
    const trades = newTrades(before, page.data);
    this.#advance(stretch, page, positionAfter(before, trades));
    return { trades, before, after: this.#position, tokens: costOf(stretch.window) };
  }

  #nextStretch(): Stretch {
    const window = this.#plan.next(this.#begin.fromMs, this.#position.untilMs);
    return { window, cursor: undefined, begunAt: this.#position };
  }

  /** Decides where to go on after a page. */
  #advance(stretch: Stretch, { data, metadata }: TradePage, reached: Position): void {
    const { window } = stretch;
    const { next_cursor: cursor } = metadata;
    const isFirst = stretch.cursor === undefined;
    this.#stretch = undefined;
    if (cursor === undefined) {
      this.#position = { untilMs: window.startMs - 1, given: [] };
      if (isFirst) this.#plan.saw(window, data.length);
      return;
    }
    this.#position = reached;
    // A page that is not full was read through withdrawn trades, and tells nothing of the density.
    const isFull = data.length === this.#reading.limit;
    if (isFirst && isFull) this.#plan.saw({ ...window, startMs: reached.untilMs }, data.length);
    // More pages of a long window would each cost all of it: the rest is read in shorter ones.
    const isLeft = isFull && costOf(window) > 1 && reached.untilMs < window.endMs;
    if (!isLeft) this.#stretch = { ...stretch, cursor };
  }

  /** A page; undefined when its cursor has become invalid and the rest is to be read in a new window. */
  async #fetch({ window, cursor, begunAt }: Stretch): Promise<Taken | undefined> {
    try {
      return await this.#send(window, cursor);
    } catch (error) {
      const isStale = error instanceof CountinghouseError && error.code === "invalid_cursor";
      // A new release may read other cursors. A window that gives nothing again and again would never end.
      if (this.#position !== begunAt) this.#staleInVain = 0;
      this.#staleInVain += 1;
      if (!isStale || cursor === undefined || this.#staleInVain > STALE_IN_VAIN_MAX) throw error;
      this.#stretch = undefined;
      return undefined;
    }
  }

  async #send(window: TradeWindow, cursor: string | undefined): Promise<Taken> {
    const { limit, signal, onWait } = this.#reading;
    const { symbol } = this.#begin;
    const url = urlOf(this.#channel.shared.baseUrl, routes["list-trades"], { symbol });
    url.searchParams.set("start_date", String(window.startMs));
    url.searchParams.set("end_date", String(window.endMs));
    url.searchParams.set("limit", String(limit));
    if (cursor !== undefined) url.searchParams.set("cursor", cursor);
    const cost = costOf(window);
    const expected = { shape: tradePageShape, hasDecimals: false } as const;
    const options = { signal, onWait };
    return await this.#channel.send({ endpoint: "list-trades", url, cost, ...expected, options });
  }

  /** Trades out of order would be lost or repeated without a word, and a page that leads to itself has no end. */
  #check({ data, metadata }: TradePage, { window, cursor }: Stretch, unexpected: Taken["unexpected"]): void {
    if (cursor !== undefined && metadata.next_cursor === cursor) throw unexpected("the page leads to itself");
    let latest = cursor === undefined ? window.endMs : this.#position.untilMs;
    for (const [at, { tdt }] of data.entries()) {
      if (tdt > latest || tdt < window.startMs)
        throw unexpected(`data[${at}] is out of order, or outside of the window that was asked for`);
      latest = tdt;
    }
  }
}
