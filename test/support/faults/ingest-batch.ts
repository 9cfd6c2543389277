import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { idOf as tradeIdOf } from "../../../bench/support/busy-trades.ts";
import { systemClock } from "../../../lib/clock.ts";
import { type RecordKind, recordKinds } from "../../../lib/ingest/message.ts";
import { writeMessage } from "../../../lib/ingest/write-message.ts";
import { MarketStore } from "../../../lib/markets/market-store.ts";
import { PassStore } from "../../../lib/passes/pass-store.ts";
import { SellOrderStore } from "../../../lib/sell-orders/sell-order-store.ts";
import { TransactionStore } from "../../../lib/transactions/transaction-store.ts";
import { sellOrderText, transactionText } from "../documents.ts";
import { storedTrades } from "../stored-trades.ts";
import type { FaultyIngest } from "./faulty-ingest.ts";

/** A text in the record that is rejected: no line of a log may repeat it. */
export const SECRET = "planted-in-a-record";

/** So many trades, which one call writes, that work for each of them would be seen. */
const TRADES = 60;
/** More than one call of SQS takes. */
export const BAD_RECORDS = 12;

interface Message {
  readonly id: string;
  readonly kind: RecordKind;
  readonly body: string;
}

/** A message of each kind, and one whose records can never be stored, of records that no other batch has. */
export interface Batch {
  readonly messages: readonly Message[];
  /** The number of kinds, each of which gets a line. */
  readonly kinds: number;
}

/** A batch, and what becomes of it in the end. */
export interface WholeBatch extends Batch {
  /** The id of the message of a kind, or of the bad one. */
  readonly idOf: (kind: RecordKind | "bad") => string;
  /** Some of its messages. */
  readonly only: (ids: ReadonlySet<string>) => Batch;
  /** The records of good messages other than these are stored, each once, as they were sent. */
  expectStored(ingest: FaultyIngest, except?: ReadonlySet<string>): Promise<void>;
}

let batches = 0;

/** Makes a batch of six messages: one of good records of each kind, and one of bad ones. */
export function makeBatch(): WholeBatch {
  const records = newRecords();
  const good = bodiesOf(records);
  const expectThere = checksOf(records);
  const idOf = (kind: RecordKind | "bad"): string => `${records.name}-${kind}`;
  const bad = writeMessage(
    { kind: "pass" },
    Array.from({ length: BAD_RECORDS }, () => JSON.stringify({ partner_reference: SECRET })),
  );
  const messages: readonly Message[] = [
    ...recordKinds.map((kind) => ({ id: idOf(kind), kind, body: good[kind] })),
    { id: idOf("bad"), kind: "pass", body: bad },
  ];
  return {
    ...batchOf(messages),
    idOf,
    only: (ids) => batchOf(messages.filter(({ id }) => ids.has(id))),
    expectStored: async (ingest, except = new Set()) => {
      for (const kind of recordKinds) if (!except.has(idOf(kind))) await expectThere[kind](ingest);
    },
  };
}

const batchOf = (messages: readonly Message[]): Batch => ({
  messages,
  kinds: new Set(messages.map(({ kind }) => kind)).size,
});

type Records = ReturnType<typeof newRecords>;

/** What the good records of a batch are made of. */
function newRecords() {
  batches += 1;
  const name = `F${batches}`;
  const orderId = randomUUID();
  const tradedAt = systemClock();
  const trades = Array.from({ length: TRADES }, (_, n) => ({
    tdt: tradedAt - n,
    p: `${n + 1}.50`,
    q: `${n + 1}.0`,
    tid: tradeIdOf(TRADES * batches + n),
    s: "buy",
  }));
  return {
    name,
    symbol: `${name}-USD`,
    orderText: sellOrderText({ id: orderId }),
    orderId,
    tradedAt,
    trades,
  };
}

const bodiesOf = ({ name, symbol, orderText, trades }: Records): Readonly<Record<RecordKind, string>> => ({
  market: writeMessage({ kind: "market" }, [JSON.stringify({ symbol })]),
  transaction: writeMessage({ kind: "transaction", owner: name }, [transactionText()]),
  sell_order: writeMessage({ kind: "sell_order", owner: name }, [orderText]),
  pass: writeMessage({ kind: "pass" }, [passText(name)]),
  trade: writeMessage(
    { kind: "trade", owner: symbol },
    trades.map((trade) => JSON.stringify(trade)),
  ),
});

const passText = (reference: string): string =>
  JSON.stringify({ partner_reference: reference, type: "loyalty_pass", version: 1 });

/** The checks that the records of each kind are stored as they were sent, once. */
const checksOf = ({
  name,
  symbol,
  orderText,
  orderId,
  tradedAt,
  trades,
}: Records): Readonly<Record<RecordKind, (ingest: FaultyIngest) => Promise<void>>> => ({
  market: async ({ table }) => {
    expect(await new MarketStore(table("Settings"), systemClock).get(symbol)).toMatchObject({ symbol });
  },
  transaction: async ({ table }) => {
    expect(await new TransactionStore(table("Transactions")).get(name, "tx-1")).toBe(transactionText());
  },
  sell_order: async ({ table }) => {
    expect(await new SellOrderStore(table("SellOrders")).get(name, orderId)).toBe(orderText);
  },
  pass: async ({ table }) => {
    expect(await new PassStore(table("Passes")).get(name)).toMatchObject({ text: passText(name) });
  },
  trade: async ({ table }) => {
    const found = await storedTrades(table("Trades"), symbol, { fromMs: 0, toMs: tradedAt });
    expect(
      found.map(({ tradedAt: tdt, id: tid, price: p, quantity: q, side: s }) => ({ tdt, p, q, tid, s })),
    ).toEqual(trades);
  },
});
