import { readFileSync } from "node:fs";
import type { BatchWriteItemCommandInput } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { idOf } from "../../bench/support/busy-trades.ts";
import { UNKNOWN_MARKET_RECEIVES } from "../../lib/ingest/find-market.ts";
import { BATCH_STRETCHES } from "../../lib/ingest/trade-batch.ts";
import { writeMessage } from "../../lib/ingest/write-message.ts";
import type { LogLine } from "../../lib/log.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { SellOrderStore } from "../../lib/sell-orders/sell-order-store.ts";
import { packSegment } from "../../lib/trades/pack-segment.ts";
import { keyText } from "../../lib/trades/read-segment.ts";
import { lowestKeyAt, withdrawnPartitionOf } from "../../lib/trades/segment-key.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import { withdrawTrades } from "../../ops/import/trades/withdraw-trades.ts";
import { groupOf } from "../../ops/queue/pack-messages.ts";
import { sellOrderText, transactionText } from "../support/documents.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";
import {
  failingClient,
  type IngestHandler,
  ingestOver,
  MessageQueue,
  RejectedMessages,
  silentClient,
} from "../support/message-queue.ts";
import { formatFaults } from "../support/metric-lines.ts";
import { storedTrades } from "../support/stored-trades.ts";
import { NOW, trade } from "../support/trades.ts";

const clock = () => NOW;
const CARD = "4111111111111111";

const passText = (reference: string, version = 1): string =>
  JSON.stringify({
    partner_reference: reference,
    type: "boarding_pass",
    version,
    semantics: { gate: "B14" },
  });

const tradeText = (n: number, members = {}): string =>
  JSON.stringify({ tdt: NOW - 60_000 + n, p: "65000.10", q: "0.50", tid: idOf(n), s: "buy", ...members });

/** The signals of a batch, of which that for writing aborts by hand. */
const endingWith =
  (time: AbortController) =>
  (ms: number): AbortSignal =>
    ms === 50_000 ? time.signal : new AbortController().signal;

const whole = { fromMs: 0, toMs: NOW + 86_400_000 };

describe.each(testedStores)("messages, on %s", (kind) => {
  let engine: Engine;
  let queue: MessageQueue;
  let rejected: RejectedMessages;
  let lines: (LogLine & Record<string, unknown>)[];
  let handler: IngestHandler;
  let markets = 0;
  /** The symbol of a market that no other test uses. */
  let symbol: string;

  const log = (line: LogLine) => lines.push({ stage: "test", endpoint: "ingest-records", ...line });
  const transactions = () => new TransactionStore(engine.table("Transactions"));
  const tradesOf = (market: string) => storedTrades(engine.table("Trades"), market, whole);
  const list = (market: string) => new MarketRegister(engine.table("Settings")).add(marketOf(market));
  const listed = (market: string) => new MarketStore(engine.table("Settings"), clock).get(market);

  beforeAll(async () => {
    engine = await startEngine(kind);
  });
  afterAll(() => engine.close());

  beforeEach(() => {
    queue = new MessageQueue();
    rejected = new RejectedMessages();
    lines = [];
    handler = ingestOver(engine, { rejected, clock, log });
    markets += 1;
    symbol = `M${markets}-USD`;
  });
  afterEach(() => {
    expect(queue.dead).toEqual([]);
    for (const line of lines) expect(formatFaults(line)).toEqual([]);
  });

  test("of each kind are stored as the imports store them, markets before the trades of their batch", async () => {
    const id = "1f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f";
    queue.send(
      writeMessage({ kind: "trade", owner: symbol }, [tradeText(1), tradeText(2)]),
      writeMessage({ kind: "market" }, [JSON.stringify({ symbol, anm: "Triple A" })]),
      writeMessage({ kind: "transaction", owner: "acme" }, [transactionText()]),
      writeMessage({ kind: "sell_order", owner: "ramp" }, [sellOrderText({ id })]),
      writeMessage({ kind: "pass" }, [passText("boarding-1")]),
    );
    expect(await queue.deliver(handler)).toEqual([]);
    engine.settle();
    expect(await transactions().get("acme", "tx-1")).toBe(transactionText());
    expect(await new SellOrderStore(engine.table("SellOrders")).get("ramp", id)).toBeDefined();
    expect(await new PassStore(engine.table("Passes")).get("boarding-1")).toMatchObject({ version: 1 });
    expect(await listed(symbol)).toMatchObject({ anm: "Triple A" });
    expect(await tradesOf(symbol)).toMatchObject([{ id: idOf(2) }, { id: idOf(1), price: "65000.10" }]);
    expect([rejected.messages, queue.size]).toEqual([[], 0]);
  });

  test("as docs/operations.md shows them are stored, one after the other", async () => {
    const page = readFileSync("docs/operations.md", "utf8");
    const [, section = ""] = /^## Take in records by messages\n(.*?)^## /ms.exec(page) ?? [];
    const bodies = section.split("\n").filter((line) => line.startsWith('{"kind"'));
    expect(bodies).toHaveLength(6);
    const { owner } = JSON.parse(bodies[3] ?? "");
    const group = groupOf({ kind: "transaction", owner });
    expect(section).toContain(`--message-group-id ${group} \\\n  --message-body '${bodies[3]}'`);
    for (const body of bodies) {
      queue.send(body);
      expect([body, await queue.deliver(handler)]).toEqual([body, []]);
    }
    expect(rejected.messages).toEqual([]);
    engine.settle();
    const found = await tradesOf("PEPE-USD");
    expect(found.map(({ quantity }) => quantity).toSorted()).toEqual(["1500000.00", "2000.00", "20000.00"]);
    expect(await transactions().get("acme", "tx-7")).toContain('"amount":-47.80');
  });

  test("with a trade that a damaged segment may withdraw come again, and a line names the segment, with a metric", async () => {
    await list(symbol);
    const segment = packSegment(symbol, { revision: 1, trades: [trade(9, NOW - 1)] });
    const partition = withdrawnPartitionOf(segment.partition);
    const payload = Buffer.from("damaged");
    await new TradeRegister(engine.table("Trades")).put([{ ...segment, partition, payload }]);
    const [early, late] = [tradeText(1, { tdt: NOW - 60_000 }), tradeText(2, { tdt: NOW - 1 })];
    queue.send(writeMessage({ kind: "trade", owner: symbol }, [early, late]));
    expect(await queue.deliver(handler)).toHaveLength(1);
    const key = keyText({ ...segment, partition });
    expect(lines).toMatchObject([
      { level: "ERROR", market: symbol, segment: key, DamagedSegment: 1 },
      {
        level: "ERROR",
        kind: "trade",
        RecordsWritten: 1,
        RecordsReturned: 1,
        faults: [{ name: "DamagedWithdrawals" }],
      },
    ]);
  });

  test("give their good records to the store and their bad ones, alone, to the rejected queue", async () => {
    await list(symbol);
    const bad = transactionText({ id: "bad", card: { card_number: CARD } });
    const good = ["a", "b"].map((id) => transactionText({ id }));
    queue.send(
      writeMessage({ kind: "transaction", owner: "mixed" }, [good[0] ?? "", bad, good[1] ?? ""]),
      writeMessage({ kind: "trade", owner: symbol, revision: 3 }, [tradeText(1, { p: 1.5 }), tradeText(2)]),
      '{"kind":"order"}',
      '{"kind":"pass","record":{},"note":1}',
      "no JSON",
    );
    expect(await queue.deliver(handler)).toEqual([]);
    engine.settle();
    for (const id of ["a", "b"]) expect(await transactions().get("mixed", id)).toBe(transactionText({ id }));
    expect(await transactions().get("mixed", "bad")).toBeUndefined();
    expect(await tradesOf(symbol)).toHaveLength(1);
    const told = rejected.messages.map(({ body, attributes: { reason, position, message_id, detail } }) => [
      reason,
      `${message_id}/${position}`,
      body,
      detail,
    ]);
    const rejectedAt = rejected.messages.map(({ attributes }) => attributes.rejected_at);
    expect(new Set(rejectedAt)).toEqual(new Set(["2026-11-24T21:00:00.000Z"]));
    expect(told.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : Number(one > other)))).toEqual([
      [
        "invalid_message",
        "message-4/0",
        '{"kind":"pass","record":{},"note":1}',
        "note is not a member that the contract knows",
      ],
      [
        "invalid_record",
        "message-1/2",
        `{"kind":"transaction","owner":"mixed","record":${bad}}`,
        expect.stringMatching(/^card\.card_number must be masked/),
      ],
      [
        "invalid_record",
        "message-2/1",
        `{"kind":"trade","owner":"${symbol}","revision":3,"record":${tradeText(1, { p: 1.5 })}}`,
        expect.stringMatching(/^p must be a string/),
      ],
      ["not_json", "message-5/0", "no JSON", expect.any(String)],
      ["unknown_kind", "message-3/0", '{"kind":"order"}', expect.any(String)],
    ]);
    expect(JSON.stringify([lines, told.map(([, , , detail]) => detail)])).not.toContain(CARD);
  });

  test("that were rejected are rejected again unchanged, and stored once they are right", async () => {
    queue.send(writeMessage({ kind: "pass" }, [passText("again", -1)]));
    await queue.deliver(handler);
    const body = rejected.messages[0]?.body ?? "";
    queue.send(body, body.replace('"version":-1', '"version":1'));
    expect(await queue.deliver(handler)).toEqual([]);
    expect(rejected.messages).toHaveLength(2);
    expect(await new PassStore(engine.table("Passes")).get("again")).toMatchObject({ version: 1 });
  });

  test("with trades of a market that is not listed return, and are stored once it is", async () => {
    queue.send(writeMessage({ kind: "trade", owner: symbol }, [tradeText(1)]));
    expect(await queue.deliver(handler)).toEqual(["message-1"]);
    expect(lines).toMatchObject([{ level: "WARN", kind: "trade", RecordsReturned: 1 }]);
    await list(symbol);
    expect(await queue.deliver(handler)).toEqual([]);
    expect([await tradesOf(symbol), rejected.messages]).toMatchObject([[{ id: idOf(1) }], []]);
  });

  test("with trades of a market that nobody lists are rejected at the third receive, and not before", async () => {
    queue.send(writeMessage({ kind: "trade", owner: symbol }, [tradeText(1), tradeText(2)]));
    for (let receive = 1; receive < UNKNOWN_MARKET_RECEIVES; receive += 1)
      expect(await queue.deliver(handler)).toEqual(["message-1"]);
    expect(rejected.messages).toEqual([]);
    expect(await queue.deliver(handler)).toEqual([]);
    expect(rejected.messages.map(({ attributes }) => attributes.reason)).toEqual([
      "unknown_market",
      "unknown_market",
    ]);
    expect(await tradesOf(symbol)).toEqual([]);
  });

  test("list a market once: its name stays, and another one is rejected", async () => {
    const named = (anm?: string) => writeMessage({ kind: "market" }, [JSON.stringify({ symbol, anm })]);
    queue.send(named("First"));
    await queue.deliver(handler);
    queue.send(named("First"), named(), named("Second"));
    expect(await queue.deliver(handler)).toEqual([]);
    expect(await listed(symbol)).toMatchObject({ anm: "First" });
    expect(rejected.messages.map(({ attributes }) => attributes.detail)).toEqual([
      expect.stringMatching(/^anm must be the name that the market is listed with/),
    ]);
    expect(lines.at(-1)).toMatchObject({ RecordsUnchanged: 2, RecordsRejected: 1 });
  });

  test("must give each trade an id, and no time ahead of the clock", async () => {
    await list(symbol);
    const late = { tdt: NOW + 86_400_001 };
    queue.send(
      writeMessage({ kind: "trade", owner: symbol }, [
        tradeText(1, { tid: undefined }),
        tradeText(2, late),
        tradeText(3, { tdt: NOW + 86_400_000 }),
      ]),
    );
    expect(await queue.deliver(handler)).toEqual([]);
    expect(rejected.messages.map(({ attributes }) => attributes.detail)).toEqual([
      expect.stringMatching(/^tid is required/),
      expect.stringMatching(/^tdt must not lie more than a day ahead/),
    ]);
  });

  test("leave trades withdrawn that an operator withdrew", async () => {
    await list(symbol);
    const body = writeMessage({ kind: "trade", owner: symbol }, [tradeText(1), tradeText(2)]);
    queue.send(body);
    await queue.deliver(handler);
    const register = new TradeRegister(engine.table("Trades"));
    await withdrawTrades(register, symbol, [{ tradedAt: NOW - 60_000 + 1, id: idOf(1) }], 1);
    queue.send(body);
    expect(await queue.deliver(handler)).toEqual([]);
    const records = (await tradesOf(symbol)).filter(({ id }) => id === idOf(1));
    expect(records.some(({ withdrawn }) => withdrawn)).toBe(true);
  });

  test("return, each with what it gave, while the rejected queue takes nothing; then nothing is sent twice", async () => {
    rejected.nextFault = () => "refused";
    queue.send(
      writeMessage({ kind: "pass" }, [passText("kept"), "{}"]),
      writeMessage({ kind: "pass" }, [passText("free")]),
    );
    expect(await queue.deliver(handler)).toEqual(["message-1"]);
    expect(lines).toMatchObject([{ level: "WARN", RecordsWritten: 2, RecordsReturned: 1 }]);
    expect(await new PassStore(engine.table("Passes")).get("kept")).toMatchObject({ version: 1 });
    rejected.nextFault = undefined;
    expect(await queue.deliver(handler)).toEqual([]);
    expect(rejected.messages).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ RecordsUnchanged: 1, RecordsRejected: 1 });
  });

  test("reject nothing of a message that returns for another record, so that nothing is rejected twice", async () => {
    let isDown = true;
    const client = failingClient(engine.client, () => (isDown ? "before" : undefined));
    const failing = ingestOver(engine, { rejected, clock, log, client });
    queue.send(writeMessage({ kind: "pass" }, ["{}", passText("later")]));
    expect(await queue.deliver(failing)).toEqual(["message-1"]);
    expect(rejected.messages).toEqual([]);
    isDown = false;
    expect(await queue.deliver(failing)).toEqual([]);
    expect(rejected.messages).toHaveLength(1);
  });

  test("return when permissions are missing, which is not a fault of theirs, and an operator is told", async () => {
    const client = failingClient(engine.client, () => "refused");
    const failing = ingestOver(engine, { rejected, clock, log, client });
    await list(symbol);
    queue.send(
      writeMessage({ kind: "pass" }, [passText("denied")]),
      writeMessage({ kind: "trade", owner: symbol }, [tradeText(1)]),
    );
    expect(await queue.deliver(failing)).toEqual(["message-1", "message-2"]);
    expect(lines).toMatchObject([
      { level: "ERROR", kind: "pass", faults: [{ records: 1, name: "AccessDenied" }] },
      { level: "ERROR", kind: "trade", faults: [{ records: 1, name: "AccessDenied" }] },
    ]);
  });

  test("return when the store does not answer before the time is over, those that are done stay done", async () => {
    const time = new AbortController();
    const silent = silentClient(engine.client, () => {
      time.abort();
      return true;
    });
    const late = ingestOver(engine, { rejected, clock, log, client: silent, signalAfter: endingWith(time) });
    await list(symbol);
    queue.send(
      writeMessage({ kind: "pass" }, [passText("late")]),
      writeMessage({ kind: "trade", owner: symbol }, [tradeText(1)]),
      "no JSON",
    );
    expect(await queue.deliver(late)).toEqual(["message-1", "message-2"]);
    expect(rejected.messages).toHaveLength(1);
    expect(lines.map(({ level }) => level)).toEqual(["WARN", "WARN", "INFO"]);
    expect(await queue.deliver(handler)).toEqual([]);
    expect(await tradesOf(symbol)).toHaveLength(1);
  });

  test("that are too many for the time get further each time: what was written is done", async () => {
    await list(symbol);
    // Two batches of a quiet market, of which the store takes the earlier one.
    const sparse = (first: number) =>
      Array.from({ length: BATCH_STRETCHES }, (_, n) =>
        tradeText(first + n, { tdt: NOW - 9_000_000 + 2_000 * (first + n) }),
      );
    const middle = lowestKeyAt(NOW - 9_000_000 + 2_000 * BATCH_STRETCHES);
    const time = new AbortController();
    const sortKeysIn = (input: object): Uint8Array[] =>
      Object.values((input as Partial<BatchWriteItemCommandInput>).RequestItems ?? {})
        .flatMap((requests) => requests ?? [])
        .map(({ PutRequest }) => PutRequest?.Item?.sk?.B ?? middle);
    let written = 0;
    const client = silentClient(
      engine.client,
      ({ input }) => sortKeysIn(input).some((key) => Buffer.compare(key, middle) >= 0),
      ({ input }) => {
        written += sortKeysIn(input).length;
        if (written === BATCH_STRETCHES) setImmediate(() => time.abort());
      },
    );
    const slow = ingestOver(engine, { rejected, clock, log, client, signalAfter: endingWith(time) });
    queue.send(
      writeMessage({ kind: "trade", owner: symbol }, sparse(0)),
      writeMessage({ kind: "trade", owner: symbol }, sparse(BATCH_STRETCHES)),
    );
    expect(await queue.deliver(slow)).toEqual(["message-2"]);
    expect(await queue.deliver(handler)).toEqual([]);
    expect(await tradesOf(symbol)).toHaveLength(2 * BATCH_STRETCHES);
  });

  test.each([
    ["in one message", 1],
    ["in two messages of one batch", 2],
    ["in two batches", 3],
  ])("tell of two trades with one instant and id which one readers do not see, %s", async (_, ways) => {
    await list(symbol);
    const texts = ["100", "1"].map((q) => tradeText(1, { q }));
    const bodies = ways === 1 ? [texts] : texts.map((text) => [text]);
    for (const [at, records] of bodies.entries()) {
      queue.send(writeMessage({ kind: "trade", owner: symbol }, records));
      if (ways === 3 || at === bodies.length - 1) expect(await queue.deliver(handler)).toEqual([]);
    }
    const sum = (name: string) =>
      lines.reduce((total, line) => total + ((line as Readonly<Record<string, number>>)[name] ?? 0), 0);
    // Of two batches, the one that readers see came last: the other was written, and is replaced.
    expect([sum("RecordsWritten"), sum("RecordsRejected"), sum("RecordsUnusual")]).toEqual(
      ways === 3 ? [2, 0, 1] : [1, 1, 0],
    );
    const reasons = rejected.messages.map(({ attributes }) => attributes.reason);
    expect(reasons).toEqual(ways === 3 ? [] : ["double_id"]);
  });

  test("are counted by kind and by what became of their records", async () => {
    const newer = transactionText({ id: "n", updated_at: "2026-03-01T12:00:00Z" });
    const older = transactionText({ id: "n" });
    const back = transactionText({ id: "n", updated_at: "2026-03-01T13:00:00Z", request_id: "r" });
    queue.send(writeMessage({ kind: "transaction", owner: "counted" }, [newer, older, newer, back, "{}"]));
    await queue.deliver(handler);
    expect(lines).toMatchObject([
      {
        level: "INFO",
        kind: "transaction",
        aws_request_id: "an id",
        RecordsWritten: 2,
        RecordsStale: 1,
        RecordsUnchanged: 1,
        RecordsRejected: 1,
      },
    ]);
    expect(lines[0]).not.toHaveProperty("faults");
  });
});
