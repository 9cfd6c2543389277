import { contractBrand } from "../../lib/brand.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import type { SegmentPage } from "../../lib/trades/trade-store.ts";
import { busyTrades } from "./busy-trades.ts";
import { SegmentTable } from "./segment-table.ts";
import type { WireItem } from "./units.ts";

export const SYMBOL = "BTC-USD";
export const market = marketOf(SYMBOL);
export const PAGE_TRADES = 1_000;
/** The newest trade, so old that no read has to be strongly consistent. */
export const LAST_TRADE_MS = 1_795_000_000_000;

/** Somewhat more than a page of trades of a busy market, thirty a second. */
export const pageOfTrades = (): Trade[] => busyTrades(PAGE_TRADES + 500, 30, LAST_TRADE_MS);

/** Trades as this service stores them. */
export async function segmentTableOf(trades: readonly Trade[]): Promise<SegmentTable> {
  const table = new SegmentTable();
  await putTrades(table, SYMBOL, trades);
  return table;
}

/** DynamoDB's answer to a query for these segments, as JSON. */
export const segmentAnswer = ({ segments, after, units }: SegmentPage): string => {
  const items = segments.map(({ partition, sort, payload }) => ({
    pk: { S: partition },
    sk: { B: sort.toString("base64") },
    d: { B: payload.toString("base64") },
  }));
  const pk = items.at(-1)?.pk;
  return JSON.stringify({
    Items: items,
    Count: items.length,
    ScannedCount: items.length,
    ...(after !== undefined && { LastEvaluatedKey: { pk, sk: { B: after.toString("base64") } } }),
    ConsumedCapacity: { TableName: "any", CapacityUnits: units },
  });
};

/** A trade as one item with an attribute for each member of the contract, as a document client writes it. */
export const tradeItem = (trade: Trade): WireItem => ({
  symbol: { S: SYMBOL },
  sk: { S: `${trade.tradedAt}#${trade.id}` },
  tdt: { N: String(trade.tradedAt) },
  aid: { S: market.aid },
  anm: { S: market.anm },
  p: { S: trade.price },
  pc: { S: market.pc },
  pn: { S: market.pn },
  q: { S: trade.quantity },
  qc: { S: market.qc },
  qn: { S: market.qn },
  ve: { S: contractBrand.venue },
  pdt: { N: String(trade.publishedAt) },
  vp: { S: contractBrand.venue },
  tid: { S: trade.id },
  ...(trade.side !== undefined && { s: { S: trade.side } }),
});
