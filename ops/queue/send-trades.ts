import { systemClock } from "../../lib/clock.ts";
import type { Market } from "../../lib/markets/market.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { Line } from "../../local/records/read-lines.ts";
import { type TradeFormat, tradeFormats } from "../import/trades/formats.ts";
import { InstantJudge } from "../import/trades/run-trade-import.ts";
import { parseLine } from "../import/trades/write-trades.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import type { ReadLine } from "./send-records.ts";

/** How a file of trades is read. */
export interface TradeReading {
  readonly market: Market;
  readonly format: TradeFormat;
  readonly takesLastLine: boolean;
}

/**
 * The reader of a file of trades. Each becomes the shortest document of the contract, with its id: the members that all
 * trades of a market share are left out.
 *
 * @throws {OperatorError} for a market that is not listed, whose trades the queue would reject.
 */
export async function tradeReader(
  { table, brand }: OperatorStore,
  { market, format, takesLastLine }: TradeReading,
): Promise<(line: Line) => ReadLine> {
  const listed = await new MarketStore(table("Settings"), systemClock).get(market.symbol);
  if (listed === undefined)
    throw new OperatorError(
      `${market.symbol} is not listed, so its trades would be rejected. List it first: ${commands.ops} markets put ${market.symbol}`,
    );
  const open = tradeFormats[format];
  const judge = new InstantJudge({ clock: systemClock, isWithdrawal: false });
  const parse = judge.judged(open({ symbol: market.symbol, market: listed, venue: brand.venue }));
  return (line) => {
    const parsed = parseLine(line, { parse, takesLastLine });
    return "trade" in parsed ? { record: documentOf(parsed.trade) } : parsed;
  };
}

const documentOf = ({ tradedAt, publishedAt, price, quantity, id, side }: Trade): string =>
  JSON.stringify({ tdt: tradedAt, p: price, q: quantity, pdt: publishedAt, tid: id, s: side });
