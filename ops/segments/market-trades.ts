import { systemClock } from "../../lib/clock.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { OperatorStore } from "../store/operator-store.ts";

/** The register that holds a market's trades. @throws {OperatorError} when the market is not listed. */
export async function requireMarketTrades({ table }: OperatorStore, symbol: string): Promise<TradeRegister> {
  const markets = new MarketStore(table("Settings"), systemClock);
  if ((await markets.get(symbol)) !== undefined) return new TradeRegister(table("Trades"));
  throw new OperatorError(`No market ${symbol} is listed. \`markets list\` shows the markets.`);
}
