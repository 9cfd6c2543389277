import * as z from "zod/mini";
import { DIGITS_MAX, PLAIN } from "../../../lib/trades/decimal.ts";
import { INSTANT_MAX_MS } from "../../../lib/trades/trade.ts";
import { tradeIdForms } from "../../../lib/trades/trade-id.ts";
import { TRADE_ID } from "../../../lib/trades/trade-rules.ts";
import type { MemberText, MemberTexts, RecordText } from "../json-schema.ts";

const epochMs = (text: string): MemberText => ({
  text: `${text}, Unix epoch milliseconds.`,
  type: "integer",
  minimum: 0,
  maximum: INSTANT_MAX_MS,
});

/** Plain digits, as prices and quantities are written. */
const decimal = (text: string): MemberText => ({
  text: `${text} A string of plain digits, ${DIGITS_MAX} at most, that keeps its zeros.`,
  pattern: PLAIN.source,
});

/** The members of a trade. */
const tradeTexts: MemberTexts = {
  tdt: epochMs("When the trade was made"),
  aid: "ID code of the crypto-asset.",
  anm: "Full name of the crypto-asset.",
  p: decimal("Price of one unit, in major units of `pc`."),
  pc: "Currency of the price.",
  pn: "Notation of the price: `MONE`, a sum of money.",
  q: decimal("Quantity, in units of `qc`."),
  qc: "Currency of the quantity.",
  qn: "Notation of the quantity: `UNIT`, a count of units.",
  ve: "Venue of execution, the same for every trade.",
  pdt: epochMs("When the trade was published"),
  vp: "Venue of publication, the same for every trade.",
  tid: { text: "ID of the trade, 32 lower-case hex digits.", pattern: TRADE_ID.source },
  s: "Whether the taker, whose order met one that was waiting, bought or sold. Absent when it is not known.",
};

/** The members of a trade as an import takes it: its id may have the form that its source gives it. */
export const importedTradeTexts: MemberTexts = {
  ...tradeTexts,
  tid: {
    text: "ID of the trade: 32 lower-case hex digits, a UUID, or a number. Made from the rest unless given.",
    anyOf: [
      { type: "string", pattern: tradeIdForms.map(({ source }) => source).join("|") },
      { type: "integer", minimum: 0 },
    ],
  },
};

const word = z.string().check(z.minLength(1));

const servedTrade = z.strictObject({
  tdt: z.number(),
  aid: word,
  anm: word,
  p: z.string(),
  pc: word,
  pn: word,
  q: z.string(),
  qc: word,
  qn: word,
  ve: word,
  pdt: z.number(),
  vp: word,
  tid: z.string(),
  s: z.optional(z.enum(["buy", "sell"])),
});

/** A page of trades. The function writes it as text, so no bundle carries its shape: tests hold every answer to it. */
export const tradePageRecord: RecordText = {
  title: "TradePage",
  text: "A page of a market's trades.",
  shape: z.strictObject({
    data: z.array(servedTrade),
    metadata: z.strictObject({ timestamp: z.number(), next_cursor: z.optional(word) }),
  }),
  telling: ["metadata.next_cursor"],
  types: {
    "data[]": { name: "Trade", text: "A trade of a market." },
    "data[].s": { name: "Side", text: "What the side that took the offer did." },
    metadata: { name: "TradePageMetadata", text: "What is said of a page of trades." },
  },
  texts: {
    data: "Trades of the window, newest first.",
    ...Object.fromEntries(Object.entries(tradeTexts).map(([name, text]) => [`data[].${name}`, text])),
    metadata: "What is said of the page.",
    "metadata.timestamp": epochMs("The server's clock when it answered"),
    "metadata.next_cursor": "The `cursor` of the next page, opaque. Present while there is more.",
  },
};
