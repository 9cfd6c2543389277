import { ASSET_NAME, SYMBOL } from "../../../lib/markets/market.ts";
import type { MemberTexts } from "../json-schema.ts";

/** The members of a market as it is handed in. */
export const marketTexts: MemberTexts = {
  symbol: { text: "BASE-QUOTE in upper case, such as `BTC-USD`.", pattern: SYMBOL.source },
  anm: {
    text: "Full name of the base asset. That of a well-known asset, or else its code, unless given.",
    pattern: ASSET_NAME.source,
  },
};
