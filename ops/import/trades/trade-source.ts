import type { Trade } from "../../../lib/trades/trade.ts";

/** Why a line is nothing that is meant for this import. */
export type PassedOver =
  | { readonly passedOver: "heading" }
  /** `name` is the market's in the file's own words. */
  | { readonly passedOver: "other market"; readonly name: string }
  /** `name` is the type that the record says it is of. */
  | { readonly passedOver: "other type"; readonly name: string };

/**
 * What a line of a file is: a trade, nothing that is meant for this market, something that is refused, or a sign that the
 * whole file is of another form, so that nothing after it can be read right.
 */
export type ParsedLine =
  /** `remark` says what is unusual about it. */
  | { readonly trade: Trade; readonly remark?: string }
  | PassedOver
  | { readonly refusal: string }
  | { readonly unusable: string };

/** Reads the lines of one file, in their order; it may remember lines that came before. */
export type TradeParser = (text: string) => ParsedLine;

export const refuse = (refusal: string): ParsedLine => ({ refusal });
