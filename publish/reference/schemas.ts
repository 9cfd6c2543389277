import type * as z from "zod/mini";
import { contractBrand } from "../../lib/brand.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { marketDocument } from "../../lib/markets/market-document.ts";
import { passDocument } from "../../lib/passes/pass-document.ts";
import { sellOrderDocument } from "../../lib/sell-orders/sell-order-document.ts";
import { tradeDocument } from "../../lib/trades/trade-document.ts";
import { transactionDocument } from "../../lib/transactions/transaction-document.ts";
import { documentSchema, type JsonSchema, type MemberTexts, mapValues } from "./json-schema.ts";
import { errorBody, servedPass, tradePage } from "./shapes.ts";
import { errorTexts } from "./texts/error.ts";
import { marketTexts } from "./texts/market.ts";
import { passTexts, publishedPassTexts } from "./texts/pass.ts";
import { sellOrderTexts } from "./texts/sell-order.ts";
import { importedTradeTexts, tradePageTexts } from "./texts/trade.ts";
import { transactionTexts } from "./texts/transaction.ts";

/** The bodies that the functions answer, by name. With `isClosed`, members that are not named are refused. */
export function answerSchemas({ isClosed = false } = {}): Readonly<Record<string, JsonSchema>> {
  const schema = (title: string, shape: z.core.$ZodType, texts: MemberTexts): JsonSchema =>
    documentSchema(shape, { title, texts, isClosed });
  return {
    Transaction: schema("Transaction", transactionDocument, transactionTexts),
    TransactionList: {
      title: "TransactionList",
      type: "array",
      items: { $ref: "#/components/schemas/Transaction" },
    },
    Pass: schema("Pass", servedPass, passTexts),
    TradePage: schema("TradePage", tradePage, tradePageTexts),
    SellOrder: schema("SellOrder", sellOrderDocument, sellOrderTexts),
    Error: schema("Error", errorBody, errorTexts),
  };
}

/** One line of a file that `npm run ops -- import` or `send` takes, by the kind of record. */
export function importSchemas(): Readonly<Record<string, JsonSchema>> {
  const schema = (title: string, shape: z.core.$ZodType, texts: MemberTexts): JsonSchema => ({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...documentSchema(shape, { title, texts, isClosed: true }),
  });
  return {
    transaction: schema("Transaction", transactionDocument, transactionTexts),
    "sell-order": schema("Sell order", sellOrderDocument, sellOrderTexts),
    pass: schema("Pass", passDocument, publishedPassTexts),
    market: schema("Market", marketDocument, marketTexts),
    trade: ofAnyMarket(schema("Trade", tradeDocument(SOME_MARKET), importedTradeTexts)),
  };
}

const SOME_MARKET = { market: marketOf("BTC-USD"), venue: contractBrand.venue };

/** A trade's constants are those of its market, which one schema for all markets cannot name. */
const ofAnyMarket = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: mapValues(schema.properties ?? {}, (member) => {
    const { const: _, ...others } = member;
    return others;
  }),
});
