import { tradeDocumentReader } from "../../../lib/trades/trade-document.ts";
import { PrintIds } from "../../../lib/trades/trade-id.ts";
import type { MarketConstants } from "../../../lib/trades/trade-text.ts";
import { binanceParser } from "./binance.ts";
import { coinbaseParser } from "./coinbase.ts";
import { krakenParser } from "./kraken.ts";
import type { TradeParser } from "./trade-source.ts";

/** What a parser must know of where trades go. */
export interface FormatContext {
  readonly symbol: string;
  readonly market: MarketConstants;
  readonly venue: string;
}

/** The formats of files that trades are imported from; each opens a parser for one file. */
export const tradeFormats = {
  ndjson: (context) => {
    const read = tradeDocumentReader({ ...context, ids: new PrintIds() });
    return (text) => {
      const checked = read(text);
      return checked.ok ? { trade: checked.value } : { refusal: checked.reason };
    };
  },
  binance: () => binanceParser(),
  kraken: ({ symbol }) => krakenParser(symbol),
  coinbase: ({ symbol }) => coinbaseParser(symbol),
} as const satisfies Record<string, (context: FormatContext) => TradeParser>;

export type TradeFormat = keyof typeof tradeFormats;
