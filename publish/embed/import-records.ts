import { Readable } from "node:stream";
import type { Clock } from "../../lib/clock.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { readLines } from "../../local/records/read-lines.ts";
import { newFlow, newTally } from "../../local/records/tally.ts";
import { type LineSink, writeLines } from "../../local/records/write-lines.ts";
import { tradeFormats } from "../../ops/import/trades/formats.ts";
import { marketWriter } from "../../ops/import/trades/market-writer.ts";
import { InstantJudge } from "../../ops/import/trades/run-trade-import.ts";
import { writeTradeLines } from "../../ops/import/trades/write-trades.ts";
import type { OperatorStore } from "../../ops/store/operator-store.ts";
import type { Credentials, ImportOrder, ImportReport, RecordKind } from "./types.ts";

/** What an import works on. */
export interface ImportParts {
  readonly store: OperatorStore;
  readonly credentials: Credentials;
  readonly clock: Clock;
}

/** The writer of the records of one owner. */
type WriterOf = (parts: ImportParts, owner: string | undefined) => (text: string) => Promise<WriteOutcome>;

const WRITERS: Readonly<Record<Exclude<RecordKind, "trades">, WriterOf>> = {
  transactions: ({ store, credentials, clock }, owner = credentials.business.id) => {
    const register = new TransactionRegister(store.table("Transactions"));
    return (text) => putTransaction(register, store.brand, owner, text, { clock });
  },
  "sell-orders": ({ store, credentials, clock }, owner = credentials.ramp.partnerId) => {
    const register = new SellOrderRegister(store.table("SellOrders"));
    return (text) => putSellOrder(register, store.brand, owner, text, { clock });
  },
  passes: ({ store, clock }) => {
    const register = new PassRegister(store.table("Passes"));
    return (text) => putPass(register, text, { clock });
  },
};

/** Imports records by the code of an operator's import: the same rules, refusals and outcomes. */
export async function importRecords(
  parts: ImportParts,
  kind: RecordKind,
  { owner, market, records }: ImportOrder,
): Promise<ImportReport> {
  const refusals: { line: number; reason: string }[] = [];
  const sink: LineSink = {
    onRefused: async (line, reason) => void refusals.push({ line, reason }),
    onRemark: async () => {},
    tally: newTally(),
    flow: newFlow(),
    stop: new AbortController(),
    // A test asks for every record's outcome; the records do not come from a file that may be the wrong one.
    readsAll: true,
  };
  const lines = readLines(Readable.from([Buffer.from(textOf(records))]));
  if (kind === "trades") await importTrades(parts, market, lines, sink);
  else await writeLines(lines, { ...sink, write: WRITERS[kind](parts, owner) });
  return { ...sink.tally, refusals: refusals.toSorted((one, other) => one.line - other.line) };
}

function textOf(records: ImportOrder["records"]): string {
  if (typeof records === "string") return records;
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

async function importTrades(
  { store, credentials, clock }: ImportParts,
  symbol: string = credentials.exchange.symbol,
  lines: Parameters<typeof writeTradeLines>[0],
  sink: LineSink,
): Promise<void> {
  const listed = await new MarketStore(store.table("Settings"), clock).get(symbol);
  const market = listed ?? marketOf(symbol);
  const parse = tradeFormats.ndjson({ symbol, market, venue: store.brand.venue });
  const writing = { market, isListed: true, isWithdrawal: false, isRehearsal: false };
  await writeTradeLines(lines, {
    ...sink,
    parse: new InstantJudge({ clock, isWithdrawal: false }).judged(parse),
    write: marketWriter(store, writing),
    takesLastLine: true,
    onPassedOver: () => {},
  });
  if (listed === undefined && sink.tally.written > 0)
    await new MarketRegister(store.table("Settings")).add(market);
}
