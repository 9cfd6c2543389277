import { systemClock } from "../../lib/clock.ts";
import type { MessageHead } from "../../lib/ingest/message.ts";
import { checkMarket } from "../../lib/markets/market-document.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { type DocumentKind, documentKinds } from "../../local/records/document-kinds.ts";
import type { Line } from "../../local/records/read-lines.ts";
import type { FileOrder } from "../import/announce-newcomer.ts";
import { TradeReader, type TradeReading } from "../import/trades/read-trades.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import type { ReadLine } from "./send-records.ts";

/** The kinds whose lines are sent as they are: one JSON document each. */
export const sentDocuments = {
  ...documentKinds,
  markets: { inMessages: "market", check: checkMarket },
} as const satisfies Readonly<Record<string, Pick<DocumentKind, "inMessages" | "owner" | "check">>>;

export type SendKindName = keyof typeof sentDocuments | "trades";

/** One file to send, as the command line asks for it. */
export interface SendOrder extends FileOrder {
  readonly kind: SendKindName;
  readonly head: MessageHead;
  /** Lines before this one are read and not sent. */
  readonly fromLine: number;
  /** How the lines of a file of trades are read. */
  readonly trades?: Pick<TradeReading, "format" | "takesLastLine">;
}

/** The reader of a file's lines. @throws {OperatorError} for trades of a market whose trades the queue would reject. */
export async function readerOf(order: SendOrder, store: OperatorStore): Promise<(line: Line) => ReadLine> {
  const { kind, owner = "" } = order;
  if (kind === "trades") return await tradeReader(owner, order, store);
  const { check } = sentDocuments[kind];
  return (line) => {
    if ("refusal" in line) return { refusal: line.refusal };
    const checked = check(line.text, owner, store.brand);
    return checked.ok ? { record: line.text } : { refusal: checked.reason };
  };
}

/** Each trade becomes the shortest document of the contract: the members that all trades of a market share are left out. */
async function tradeReader(
  symbol: string,
  { trades }: Pick<SendOrder, "trades">,
  { table, brand }: OperatorStore,
): Promise<(line: Line) => ReadLine> {
  const market = await new MarketStore(table("Settings"), systemClock).get(symbol);
  if (market === undefined)
    throw new OperatorError(
      `${symbol} is not listed, so its trades would be rejected. List it first: ${commands.ops} markets put ${symbol}`,
    );
  const { format = "ndjson", takesLastLine = false } = trades ?? {};
  const reader = new TradeReader({ symbol, market, venue: brand.venue, format, takesLastLine });
  return (line) => {
    const parsed = reader.read(line);
    return "trade" in parsed ? { record: documentOf(parsed.trade) } : parsed;
  };
}

const documentOf = ({ tradedAt, publishedAt, price, quantity, id, side }: Trade): string =>
  JSON.stringify({ tdt: tradedAt, p: price, q: quantity, pdt: publishedAt, tid: id, s: side });
