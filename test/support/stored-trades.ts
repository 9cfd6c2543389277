import type { Table } from "../../lib/dynamo/table.ts";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import { readSegment } from "../../lib/trades/read-segment.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { TradeStore } from "../../lib/trades/trade-store.ts";
import { openLocalStore } from "../../ops/store/local-store.ts";

/** Works on the trades of a data directory. */
export async function withTrades<Result>(
  data: string,
  work: (store: TradeStore, register: TradeRegister) => Promise<Result>,
): Promise<Result> {
  const { table, close } = await openLocalStore({ data });
  try {
    return await work(new TradeStore(table("Trades")), new TradeRegister(table("Trades")));
  } finally {
    await close();
  }
}

/** Everything that the store has of a market's trades of some time, newest first; both ends are included. */
export async function storedTrades(
  table: Table,
  symbol: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<Trade[]> {
  const trades: Trade[] = [];
  for await (const segment of new TradeRegister(table).list(symbol)) {
    const columns = readSegment(segment);
    for (let row = 0; row < columns.count; row += 1) trades.push(tradeOf({ columns, row }));
  }
  return trades
    .filter(({ tradedAt }) => tradedAt >= fromMs && tradedAt <= toMs)
    .sort((a, b) => b.tradedAt - a.tradedAt || (a.id < b.id ? 1 : -1));
}
