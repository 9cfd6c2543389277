import type { Trade, TradeProgress, TradeResume, TradeWalk } from "../../client/src/index.ts";
import { PAGE_TRADES_MAX } from "../../lib/trades/contract.ts";
import type { Connection } from "./connection.ts";
import type { Page, Reader, ReadOptions } from "./page.ts";
import type { TradesQuestion } from "./question.ts";
import { sentTrade, tradeDataset } from "./trade-dataset.ts";

/** Reads the trades of a market. */
export const tradeReader = (connection: Connection, question: TradesQuestion): Reader => ({
  dataset: tradeDataset,
  calls: () => connection.recorder.calls,
  read: (options) => readFrom(connection, question, options),
});

/** Gathers the trades of a walk until the walk tells that a page has ended. */
class GatheredPages {
  #trades: Trade[] = [];
  #pages: Page[] = [];
  #ended = Promise.withResolvers<undefined>();

  /** Resolves once a page has ended that was not taken. */
  get ended(): Promise<undefined> {
    return this.#ended.promise;
  }

  add(trade: Trade): void {
    this.#trades.push(trade);
  }

  end({ resume, pages, tokens, waitedMs }: TradeProgress, isLast: boolean): void {
    const records = this.#trades.map(sentTrade);
    const place = { position: resume, reachedMs: resume.untilMs, isLast };
    this.#pages.push({ records, ...place, pages, tokens, waitedMs });
    this.#trades = [];
    this.#ended.resolve(undefined);
  }

  /** The pages that have ended. */
  take(): readonly Page[] {
    const pages = this.#pages;
    this.#pages = [];
    this.#ended = Promise.withResolvers();
    return pages;
  }
}

async function* readFrom(
  { client }: Connection,
  { symbol, from, to }: TradesQuestion,
  { position, limit = Number.POSITIVE_INFINITY, signal }: ReadOptions,
): AsyncGenerator<Page, void, undefined> {
  const gathered = new GatheredPages();
  const stop = new AbortController();
  const walk = client.exchange.trades({
    limit: Math.max(1, Math.min(PAGE_TRADES_MAX, limit)),
    signal: AbortSignal.any([signal, stop.signal]),
    onProgress: (progress) => gathered.end(progress, false),
    ...(position === undefined ? { symbol, from, to } : { resume: position as TradeResume }),
  });
  try {
    yield* pagesOf(walk, gathered, limit);
    // The walk tells nothing of the page in which it is left.
    gathered.end(walk.progress, true);
    yield* gathered.take();
  } catch (error) {
    yield* gathered.take();
    throw error;
  } finally {
    // Ends the reading ahead.
    stop.abort();
  }
}

async function* pagesOf(
  walk: TradeWalk,
  gathered: GatheredPages,
  limit: number,
): AsyncGenerator<Page, void, undefined> {
  const trades = walk[Symbol.asyncIterator]();
  for (let count = 0; count < limit; count += 1) {
    const next = trades.next();
    // A walk through a time without trades ends pages and gives nothing.
    while ((await Promise.race([next, gathered.ended])) === undefined) yield* gathered.take();
    const { done, value } = await next;
    yield* gathered.take();
    if (done === true) return;
    gathered.add(value);
  }
}
