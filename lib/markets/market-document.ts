import type * as z from "zod/mini";
import { type Checked, notOk } from "../checked.ts";
import { checkDocument } from "../json/check-document.ts";
import { text } from "../json/members.ts";
import { object, optional } from "../json/object-members.ts";
import { type Market, marketOf } from "./market.ts";

/** A market as it is handed in: everything but the name of its asset follows from the symbol. */
export const marketDocument = object({
  /** BASE-QUOTE, such as `BTC-USD`. */
  symbol: text,
  /** The full name of the base asset; the name of a well-known asset, or else its code, unless given. */
  anm: optional(text),
});

/** A checked market, and whether the document names its asset. */
export interface GivenMarket {
  readonly market: Market;
  readonly isNamed: boolean;
}

/** Checks one JSON text against the shape of a market. */
export function checkMarket(given: string): Checked<GivenMarket> {
  const checked = checkDocument(marketDocument, given);
  if (!checked.ok) return checked;
  const { symbol, anm }: z.output<typeof marketDocument> = checked.value;
  try {
    return { ok: true, value: { market: marketOf(symbol, anm), isNamed: anm !== undefined } };
  } catch (error) {
    if (error instanceof RangeError) return notOk(error.message);
    throw error;
  }
}
