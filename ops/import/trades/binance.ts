import { type Trade, tradeFault } from "../../../lib/trades/trade.ts";
import { tradeIdOf } from "../../../lib/trades/trade-id.ts";
import { CsvColumns } from "./csv-columns.ts";
import { type ParsedLine, refuse, type TradeParser } from "./trade-source.ts";

const COLUMNS = ["id", "price", "qty", "quoteqty", "time", "isbuyermaker", "isbestmatch"];
/** Dumps of futures leave out the last column. */
const COLUMNS_MIN = 6;

const MILLISECONDS = /^\d{13}$/;
const MICROSECONDS = /^\d{16}$/;
const FLAG = /^(?:true|false)$/i;

/**
 * Reads Binance's public dumps of trades (`id,price,qty,quoteQty,time,isBuyerMaker,…`), with a heading or without. Times
 * have 13 digits (milliseconds) or, since 2025, 16 (microseconds). Where the buyer was the maker, the taker sold.
 */
export function binanceParser(): TradeParser {
  const columns = new CsvColumns(COLUMNS, COLUMNS_MIN);
  return (text) => {
    const row = columns.read(text);
    if (row === "heading") return { passedOver: "heading" };
    return "refusal" in row ? row : parseRow((name) => row.get(name) ?? "");
  };
}

function parseRow(cell: (name: string) => string): ParsedLine {
  const time = cell("time");
  if (!MILLISECONDS.test(time) && !MICROSECONDS.test(time)) return refuse("time must have 13 or 16 digits");
  const id = /^\d+$/.test(cell("id")) ? tradeIdOf(cell("id")) : undefined;
  if (id === undefined) return refuse("id must be a number");
  const flag = cell("isbuyermaker");
  if (!FLAG.test(flag)) return refuse("isBuyerMaker must be true or false");
  const tradedAt = Number(time.slice(0, 13));
  const side = flag.toLowerCase() === "true" ? "sell" : "buy";
  const trade: Trade = {
    tradedAt,
    publishedAt: tradedAt,
    price: cell("price"),
    quantity: cell("qty"),
    id,
    side,
  };
  const fault = tradeFault(trade);
  return fault === undefined ? { trade } : refuse(fault);
}
