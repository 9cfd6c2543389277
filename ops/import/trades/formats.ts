import { tradeDocument, tradeDocumentReader } from "../../../lib/trades/trade-document.ts";
import type { MarketConstants } from "../../../lib/trades/trade-text.ts";
import { dropUnknown } from "../drop-unknown.ts";
import { binanceParser } from "./binance.ts";
import { coinbaseParser } from "./coinbase.ts";
import { krakenParser } from "./kraken.ts";
import { PrintIds } from "./print-ids.ts";
import type { TradeParser } from "./trade-source.ts";

/** The facts that a parser needs about the market of the trades. */
export interface FormatContext {
  readonly symbol: string;
  readonly market: MarketConstants;
  readonly venue: string;
  /** Called with the name of each member that the contract does not have; without it, such a line is refused. */
  readonly onDropped?: (member: string) => void;
}

/** The formats of files that trades are imported from; each opens a parser for one file. */
export const tradeFormats = {
  ndjson: (context) => documentParser(context),
  binance: () => binanceParser(),
  kraken: ({ symbol }) => krakenParser(symbol),
  coinbase: ({ symbol }) => coinbaseParser(symbol),
} as const satisfies Record<string, (context: FormatContext) => TradeParser>;

export type TradeFormat = keyof typeof tradeFormats;

/** Reads the contract's own records, one JSON document a line. */
function documentParser({ onDropped, ...context }: FormatContext): TradeParser {
  const read = tradeDocumentReader({ ...context, ids: new PrintIds() });
  const shape = tradeDocument(context);
  return (text) => {
    const checked = read(onDropped === undefined ? text : dropUnknown(shape, text, onDropped));
    return checked.ok ? { trade: checked.value } : { refusal: checked.reason };
  };
}
