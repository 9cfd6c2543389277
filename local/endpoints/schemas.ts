import type * as z from "zod/mini";
import { contractBrand } from "../../lib/brand.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { marketDocument } from "../../lib/markets/market-document.ts";
import { passDocument } from "../../lib/passes/pass-document.ts";
import { tradeDocument } from "../../lib/trades/trade-document.ts";
import { schemaOf } from "./endpoint-reference.ts";
import { endpointReferences } from "./endpoints.ts";
import {
  documentSchema,
  type JsonSchema,
  type MemberTexts,
  mapValues,
  type RecordText,
} from "./json-schema.ts";
import { errorRecord } from "./records/error.ts";
import { marketTexts } from "./records/market.ts";
import { publishedPassTexts } from "./records/pass.ts";
import { sellOrderRecord } from "./records/sell-order.ts";
import { importedTradeTexts } from "./records/trade.ts";
import { transactionRecord } from "./records/transaction.ts";

/** The records that the functions answer with, errors last. */
export const answeredRecords: readonly RecordText[] = [
  ...new Set(endpointReferences.map(({ success }) => success.record)),
  errorRecord,
];

/** The bodies that the functions answer, by name. With `isClosed`, members that are not named are refused. */
export function answerSchemas({ isClosed = false } = {}): Readonly<Record<string, JsonSchema>> {
  const lists = endpointReferences.filter(({ success }) => success.isList === true);
  return Object.fromEntries(
    answeredRecords.flatMap((record) => {
      const { title, shape, texts } = record;
      const items = { $ref: `#/components/schemas/${title}` };
      return [
        [title, documentSchema(shape, { title, texts, isClosed })],
        ...lists
          .filter(({ success }) => success.record === record)
          .map(({ success }) => [schemaOf(success), { title: schemaOf(success), type: "array", items }]),
      ];
    }),
  );
}

/** One line of a file that `npm run ops -- import` or `send` takes, by the kind of record. */
export function importSchemas(): Readonly<Record<string, JsonSchema>> {
  const schema = (title: string, shape: z.core.$ZodType, texts: MemberTexts): JsonSchema => ({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...documentSchema(shape, { title, texts, isClosed: true }),
  });
  return {
    transaction: schema("Transaction", transactionRecord.shape, transactionRecord.texts),
    "sell-order": schema("Sell order", sellOrderRecord.shape, sellOrderRecord.texts),
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
