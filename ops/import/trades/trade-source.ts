import type { Trade } from "../../../lib/trades/trade.ts";

/** What a line of a file is: a trade, nothing that is meant for this market, or something that is refused. */
export type ParsedLine =
  | { readonly trade: Trade }
  | { readonly passedOver: "heading" | "other market" }
  | { readonly refusal: string };

/** Reads the lines of one file, in their order; it may remember lines that came before. */
export type TradeParser = (text: string) => ParsedLine;

export const refuse = (refusal: string): ParsedLine => ({ refusal });
