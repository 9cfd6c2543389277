import type { Table } from "../../lib/dynamo/table.ts";
import { placeAt } from "../../lib/trades/segment-columns.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { type PageQuestion, readPage } from "../../lib/trades/trade-reader.ts";
import { TradeStore } from "../../lib/trades/trade-store.ts";
import { DAY_MS, DAY_START_MS } from "./day-of-trades.ts";
import { meteredTable } from "./metered-table.ts";

const PAGE_TRADES = 1_000;

/** A whole day of a market, as it was listed. */
export interface ListedDay {
  /** Trades that were listed. */
  readonly trades: number;
  /** Read units of a page, on average. */
  readonly unitsPerPage: number;
}

/**
 * Lists a day of a market in pages, each long after its trades were stored.
 *
 * @param expected the trades in ascending order.
 * @throws when the listing does not have each of them once, in order, and nothing else.
 */
export async function listDay(table: Table, symbol: string, expected: readonly Trade[]): Promise<ListedDay> {
  const metered = meteredTable(table);
  const store = new TradeStore(metered.table);
  const question: PageQuestion = {
    symbol,
    window: { startMs: DAY_START_MS, endMs: DAY_START_MS + DAY_MS },
    limit: PAGE_TRADES,
    now: DAY_START_MS + 3 * DAY_MS,
  };
  let [trades, pages] = [0, 0];
  let from: PageQuestion["from"];
  do {
    const page = await readPage(store, { ...question, from });
    for (const { columns, row } of page.rows) {
      const { tradedAt, id } = placeAt(columns, row);
      trades += 1;
      const due = expected.at(-trades);
      if (due?.id !== id || due.tradedAt !== tradedAt)
        throw new Error(`Trade ${trades} of ${symbol} is not the one that was sent.`);
    }
    pages += 1;
    from = page.next;
  } while (from !== undefined);
  if (trades !== expected.length) throw new Error(`${symbol} lists ${trades} trades of ${expected.length}.`);
  return { trades, unitsPerPage: metered.meter.readUnits / pages };
}
