import type { Table } from "../../lib/dynamo/table.ts";
import { tradeOf } from "../../lib/trades/page-buffer.ts";
import { readSegment } from "../../lib/trades/read-segment.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { TradeStore } from "../../lib/trades/trade-store.ts";
import { openLocalStore } from "../../ops/store/local-store.ts";
import { listAll, NOW } from "./trades.ts";
import { workplace } from "./workplace.ts";

const DAY_MS = 86_400_000;

/** A file of trades in the contract's own shape. */
export const ndjsonOf = (trades: readonly Trade[]): string =>
  trades
    .map(({ tradedAt: tdt, price: p, quantity: q, id: tid, side: s }) =>
      JSON.stringify({ tdt, p, q, tid, s }),
    )
    .map((line) => `${line}\n`)
    .join("");

/** What readers see of a market of a data directory, newest first. */
export const shownTrades = (data: string, symbol: string): Promise<Trade[]> =>
  withTrades(data, async (store) => {
    const window = { startMs: NOW - 30 * DAY_MS, endMs: NOW };
    return (await listAll(store, { symbol, window, limit: 1_900, now: NOW + DAY_MS })).flat();
  });

/** A place with a market of these trades, and the command that imported them. */
export async function tradedPlace(symbol: string, trades: readonly Trade[]) {
  const place = await workplace();
  const file = await place.write("trades.ndjson", ndjsonOf(trades));
  const importing = ["import", "trades", file, "--market", symbol];
  const importAll = () => place.run(...importing);
  const { code, stderr } = await importAll();
  if (code !== 0) throw new Error(stderr);
  return { ...place, importing, importAll, shown: () => shownTrades(place.data, symbol) };
}

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
