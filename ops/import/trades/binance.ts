import { decimalOf, decimalViolation } from "../../../lib/trades/decimal.ts";
import type { Trade } from "../../../lib/trades/trade.ts";
import { tradeIdOf } from "../../../lib/trades/trade-id.ts";
import { tradeViolation } from "../../../lib/trades/trade-rules.ts";
import { CsvColumns } from "./csv-columns.ts";
import { type ParsedLine, refuse, type TradeParser } from "./trade-source.ts";

const COLUMNS = ["id", "price", "qty", "quoteQty", "time", "isBuyerMaker", "isBestMatch"];
/** Dumps of futures leave out the last column. */
const COLUMNS_MIN = 6;

const MILLISECONDS = /^\d{13}$/;
const MICROSECONDS = /^\d{16}$/;
const FLAG = /^(?:true|false)$/i;

/** A quote quantity is rounded: it may differ from price times quantity by one part in so many, and not by more. */
const ROUNDING_SHARE = 100n;

/**
 * Reads Binance's public dumps of trades (`id,price,qty,quoteQty,time,isBuyerMaker,…`), with a heading or without.
 * Times have 13 digits (milliseconds) or, since 2025, 16 (microseconds). Where the buyer was the maker, the taker sold.
 * Dumps of coin-settled futures have other columns in the same places; their lines are refused, because the column in
 * place of the quote quantity is not price times quantity.
 */
export function binanceParser(): TradeParser {
  const columns = new CsvColumns(COLUMNS, COLUMNS_MIN);
  return (text) => {
    const row = columns.read(text);
    return "cells" in row ? parseRow((name) => row.cells.get(name) ?? "") : row;
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
  const [price, quantity] = [cell("price"), cell("qty")];
  const trade: Trade = { tradedAt, publishedAt: tradedAt, price, quantity, id, side };
  const violation = tradeViolation(trade) ?? quoteViolation(price, quantity, cell("quoteqty"));
  return violation === undefined ? { trade } : refuse(violation);
}

/** Detects misplaced columns, or another kind of dump, by the quote quantity, which price times qty repeats. */
function quoteViolation(price: string, quantity: string, quote: string): string | undefined {
  const violation = decimalViolation(quote);
  if (violation !== undefined) return `quoteQty ${violation}`;
  const [p, q, told] = [decimalOf(price), decimalOf(quantity), decimalOf(quote)];
  // All numbers are in units of the last digit of price times quantity or of the quote quantity, whichever is finer.
  const scale = Math.max(p.scale + q.scale, told.scale);
  const unitsOf = (mantissa: bigint, ownScale: number) => mantissa * 10n ** BigInt(scale - ownScale);
  const product = unitsOf(p.mantissa * q.mantissa, p.scale + q.scale);
  const stated = unitsOf(told.mantissa, told.scale);
  const apart = product > stated ? product - stated : stated - product;
  const lastDigit = unitsOf(1n, told.scale);
  if (apart <= lastDigit || apart * ROUNDING_SHARE <= product) return undefined;
  return "quoteQty must be price times qty: are the columns those of another kind of dump?";
}
