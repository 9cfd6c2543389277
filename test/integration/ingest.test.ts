import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeMessage } from "../../lib/ingest/write-message.ts";
import type { LogLine } from "../../lib/log.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { SellOrderStore } from "../../lib/sell-orders/sell-order-store.ts";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import { sellOrderText, transactionText } from "../support/documents.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";
import { type IngestHandler, ingestOver, MessageQueue, RejectedMessages } from "../support/message-queue.ts";
import { storedTrades } from "../support/stored-trades.ts";
import { idOf, NOW } from "../support/trades.ts";

const clock = () => NOW;

const passText = (reference: string, version = 1): string =>
  JSON.stringify({
    partner_reference: reference,
    template_id: "airline-boarding",
    type: "boarding_pass",
    version,
    semantics: { gate: "B14" },
  });

const tradeText = (n: number, tradedAt = NOW - 60_000, members = {}): string =>
  JSON.stringify({ tdt: tradedAt, p: "65000.10", q: "0.50", tid: idOf(n), s: "buy", ...members });

const all = { fromMs: 0, toMs: NOW };

describe.each(testedStores)("messages, on %s", (kind) => {
  let engine: Engine;
  let queue: MessageQueue;
  let rejected: RejectedMessages;
  let lines: (LogLine & Record<string, unknown>)[];
  let handler: IngestHandler;

  beforeAll(async () => {
    engine = await startEngine(kind);
  });
  afterAll(() => engine.close());

  beforeEach(() => {
    queue = new MessageQueue();
    rejected = new RejectedMessages();
    lines = [];
    handler = ingestOver(engine, { rejected, clock, log: (line) => lines.push({ ...line }) });
  });
  afterEach(() => {
    expect(queue.dead).toEqual([]);
  });

  test("of each kind are stored as the imports store them", async () => {
    const id = "1f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f";
    queue.send(
      writeMessage({ kind: "trade", owner: "AAA-USD" }, [tradeText(1), tradeText(2)]),
      writeMessage({ kind: "market" }, ['{"symbol":"AAA-USD","anm":"Triple A"}']),
      writeMessage({ kind: "transaction", owner: "acme" }, [transactionText({ id: "tx-1" })]),
      writeMessage({ kind: "sell_order", owner: "ramp" }, [sellOrderText({ id })]),
      writeMessage({ kind: "pass" }, [passText("boarding-1")]),
    );
    expect(await queue.deliver(handler)).toEqual([]);
    engine.settle();
    expect(await new TransactionStore(engine.table("Transactions")).get("acme", "tx-1")).toBe(
      transactionText(),
    );
    expect(await new SellOrderStore(engine.table("SellOrders")).get("ramp", id)).toBeDefined();
    expect(await new PassStore(engine.table("Passes")).get("boarding-1")).toMatchObject({ version: 1 });
    expect(await new MarketStore(engine.table("Settings"), clock).get("AAA-USD")).toMatchObject({
      anm: "Triple A",
    });
    expect((await storedTrades(engine.table("Trades"), "AAA-USD", all)).map((trade) => trade.id)).toEqual(
      [idOf(1), idOf(2)].sort().reverse(),
    );
    expect(rejected.messages).toEqual([]);
    expect(queue.size).toBe(0);
  });
});
