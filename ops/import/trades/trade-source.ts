import type { Trade } from "../../../lib/trades/trade.ts";

/** Why a line is skipped. */
type PassedOver =
  | { readonly passedOver: "heading" }
  /** `name` is the market as the file names it. */
  | { readonly passedOver: "other market"; readonly name: string }
  /** `name` is the type that the line gives. */
  | { readonly passedOver: "other type"; readonly name: string };

/**
 * The content of a line: a trade; something to skip; something to refuse; or a sign that the whole file has another
 * form, so that no later line can be read correctly.
 */
export type ParsedLine =
  /** `remark` says what is unusual about the trade. */
  | { readonly trade: Trade; readonly remark?: string }
  | PassedOver
  | { readonly refusal: string }
  | { readonly unusable: string };

/** Reads the lines of one file in their order; it may remember earlier lines. */
export type TradeParser = (text: string) => ParsedLine;

export const refuse = (refusal: string): ParsedLine => ({ refusal });
