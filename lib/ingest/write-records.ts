import type * as z from "zod/mini";
import type { Brand } from "../brand.ts";
import type { Clock } from "../clock.ts";
import type { Table } from "../dynamo/table.ts";
import { type Members, parsedJson } from "../json-value.ts";
import { MarketRegister } from "../markets/market-register.ts";
import { MarketStore } from "../markets/market-store.ts";
import { putMarket } from "../markets/put-market.ts";
import { ownMember } from "../own-member.ts";
import { PassRegister } from "../passes/pass-register.ts";
import { putPass } from "../passes/put-pass.ts";
import { putSellOrder } from "../sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../sell-orders/sell-order-register.ts";
import { putTransaction } from "../transactions/put-transaction.ts";
import { TransactionRegister } from "../transactions/transaction-register.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import type { GivenRecord } from "./delivery.ts";
import { FairTasks } from "./fair-tasks.ts";
import type { RecordKind } from "./message.ts";
import type { ingestEnv } from "./settings.ts";
import { attempt, giveBack, turnOf, type Work } from "./work.ts";

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
  /** Called with the key of each record after its last version. */
  readonly onEnd?: (key: string | GivenRecord) => void;
}

/** The member that names the record, in documents of each kind. */
const ID_MEMBERS: Readonly<Record<keyof RecordWriters, string>> = {
  transaction: "id",
  sell_order: "id",
  pass: "partner_reference",
  market: "symbol",
};

/** What names a record among those of its kind, in whatever case its id is written. */
export const recordKey = (owner: string, id: string): string => JSON.stringify([owner, id.toLowerCase()]);

/** The key of a document's record. A document without an id stands for itself. */
function keyOf(record: GivenRecord): string | GivenRecord {
  const { kind, owner = "" } = record.head;
  const id = kind === "trade" ? undefined : idIn(record.text, ID_MEMBERS[kind]);
  return id === undefined ? record : recordKey(owner, id);
}

function idIn(text: string, member: string): string | undefined {
  const id = ownMember(Object(parsedJson(text)) as Members, member);
  return typeof id === "string" ? id : undefined;
}

/** The versions of each record, in their order, by its key. */
export type Versions = ReadonlyMap<string | GivenRecord, readonly GivenRecord[]>;

export const versionsOf = (records: readonly GivenRecord[]): Versions => Map.groupBy(records, keyOf);

/**
 * Writes records one by one, some at a time, and the versions of each one after the other. A version has no place while it
 * waits for an earlier one. It resolves when each is stored, rejected, or its message returned.
 */
export async function writeRecords(
  versions: Versions,
  { writers, atOnce, onEnd }: RecordWriting,
  work: Work,
): Promise<void> {
  const tasks = new FairTasks(atOnce);
  const addFrom = (key: string | GivenRecord, own: readonly GivenRecord[], at: number): void => {
    const record = own[at];
    if (record === undefined) onEnd?.(key);
    else
      tasks.add(turnOf(record), async () => {
        await writeRecord(record, writers, work);
        addFrom(key, own, at + 1);
      });
  };
  for (const [key, own] of versions) addFrom(key, own, 0);
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
