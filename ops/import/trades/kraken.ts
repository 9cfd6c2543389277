import type { Trade } from "../../../lib/trades/trade.ts";
import { tradeViolation } from "../../../lib/trades/trade-rules.ts";
import { CsvColumns } from "./csv-columns.ts";
import { PrintIds } from "./print-ids.ts";
import { type ParsedLine, refuse, type TradeParser } from "./trade-source.ts";

const COLUMNS = ["time", "price", "volume"];

/** Seconds with up to nine digits after the point. More than 11 digits before it would be milliseconds. */
const SECONDS = /^(\d{1,11})(?:\.(\d{1,9}))?$/;
const NO_ID = "0".repeat(32);

/**
 * Reads Kraken's public dumps of trades (`time,price,volume`), with a heading or without. Times are seconds with a
 * fraction, of which milliseconds are kept. The dumps have no ids, which are derived from the trades, and no sides.
 */
export function krakenParser(symbol: string): TradeParser {
  const columns = new CsvColumns(COLUMNS, COLUMNS.length);
  const ids = new PrintIds();
  return (text) => {
    const row = columns.read(text);
    return "cells" in row ? parseRow((name) => row.cells.get(name) ?? "", symbol, ids) : row;
  };
}

function parseRow(cell: (name: string) => string, symbol: string, ids: PrintIds): ParsedLine {
  const [, seconds, fraction = ""] = SECONDS.exec(cell("time")) ?? [];
  if (seconds === undefined) return refuse("time must be epoch seconds, such as 1381095255.1234");
  const tradedAtMicros = BigInt(seconds + fraction.slice(0, 6).padEnd(6, "0"));
  const tradedAt = Number(tradedAtMicros / 1000n);
  const [price, quantity] = [cell("price"), cell("volume")];
  const trade: Trade = { tradedAt, publishedAt: tradedAt, price, quantity, id: NO_ID };
  const violation = tradeViolation(trade);
  if (violation !== undefined) return refuse(violation);
  const id = ids.next({ symbol, tradedAtMicros: String(tradedAtMicros), price, quantity });
  return { trade: { ...trade, id } };
}
