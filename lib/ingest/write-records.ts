import type * as z from "zod/mini";
import { BoundedTasks } from "../bounded-tasks.ts";
import type { Brand } from "../brand.ts";
import type { Clock } from "../clock.ts";
import type { Table } from "../dynamo/table.ts";
import { MarketRegister } from "../markets/market-register.ts";
import { MarketStore } from "../markets/market-store.ts";
import { putMarket } from "../markets/put-market.ts";
import { PassRegister } from "../passes/pass-register.ts";
import { putPass } from "../passes/put-pass.ts";
import { RecordOrder, recordIdsOf } from "../record-order.ts";
import { putSellOrder } from "../sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../sell-orders/sell-order-register.ts";
import { putTransaction } from "../transactions/put-transaction.ts";
import { TransactionRegister } from "../transactions/transaction-register.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import type { GivenRecord } from "./delivery.ts";
import type { RecordKind } from "./message.ts";
import type { ingestEnv } from "./settings.ts";
import { attempt, giveBack, type Work } from "./work.ts";

/** The tables that records are written to. */
export interface RecordTables {
  readonly transactions: Table;
  readonly sellOrders: Table;
  readonly passes: Table;
  readonly trades: Table;
  readonly settings: Table;
}

/** The tables by the names in the function's environment. */
export const recordTables = (client: Table["client"], env: z.infer<typeof ingestEnv>): RecordTables => ({
  transactions: { client, name: env.TRANSACTIONS_TABLE },
  sellOrders: { client, name: env.SELL_ORDERS_TABLE },
  passes: { client, name: env.PASSES_TABLE },
  trades: { client, name: env.TRADES_TABLE },
  settings: { client, name: env.SETTINGS_TABLE },
});

/** Writes one document of an owner; throws only where the store fails. */
type WriteRecord = (owner: string, text: string) => Promise<WriteOutcome>;

/** The writers of the kinds whose records are written one by one. */
export type RecordWriters = Readonly<Record<Exclude<RecordKind, "trade">, WriteRecord>>;

/** The writers that the imports use, for any owner. */
export function recordWriters(tables: RecordTables, brand: Brand, clock: Clock): RecordWriters {
  const transactions = new TransactionRegister(tables.transactions);
  const orders = new SellOrderRegister(tables.sellOrders);
  const passes = new PassRegister(tables.passes);
  const markets = new MarketRegister(tables.settings);
  return {
    transaction: (owner, text) => putTransaction(transactions, brand, owner, text, { clock }),
    sell_order: (owner, text) => putSellOrder(orders, brand, owner, text, { clock }),
    pass: (_owner, text) => putPass(passes, text, { clock }),
    market: (_owner, text) => putMarket(markets, new MarketStore(tables.settings, clock), text),
  };
}

/** How records are written, and how many of them at once. */
export interface RecordWriting {
  readonly writers: RecordWriters;
  readonly atOnce: number;
}

/**
 * Writes records one by one, some at a time, and two of one record one after the other. It resolves when each is stored,
 * rejected, or its message returned.
 */
export async function writeRecords(
  records: readonly GivenRecord[],
  { writers, atOnce }: RecordWriting,
  work: Work,
): Promise<void> {
  const order = new RecordOrder();
  const tasks = new BoundedTasks(atOnce);
  for (const record of records) {
    const { kind, owner = "" } = record.head;
    const ids = recordIdsOf(record.text).map((id) => `${kind} ${owner} ${id}`);
    await tasks.run(() => order.run(ids, () => writeRecord(record, writers, work)));
  }
  await tasks.end();
}

async function writeRecord(record: GivenRecord, writers: RecordWriters, work: Work): Promise<void> {
  const { kind, owner = "" } = record.head;
  if (kind === "trade") throw new RangeError("Trades are written in batches.");
  try {
    settle(record, await attempt(work, () => writers[kind](owner, record.text)), work);
  } catch (error) {
    giveBack(record.delivery, error, work);
  }
}

function settle(record: GivenRecord, result: WriteOutcome, { report }: Work): void {
  const { kind } = record.head;
  if (result.outcome === "refused") {
    record.delivery.reject(record, "invalid_record", result.reason);
    return;
  }
  const isWritten = result.outcome === "written" || result.outcome === "corrected";
  if (isWritten) report.count(kind, "RecordsWritten");
  else report.count(kind, result.outcome === "stale" ? "RecordsStale" : "RecordsUnchanged");
  if (result.outcome === "written" && result.unusual !== undefined) report.count(kind, "RecordsUnusual");
}
