import { createPrivateKey, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Worker } from "node:worker_threads";
import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { busyTrades } from "../../../bench/support/busy-trades.ts";
import { randomOf } from "../../../bench/support/random-of.ts";
import { Countinghouse } from "../../../client/src/index.ts";
import type { QueueRole } from "../../../infra/queues.ts";
import { tablesOf } from "../../../lib/dynamo/table.ts";
import { physicalTableName, type TableName } from "../../../lib/dynamo/tables.ts";
import type { RecordKind } from "../../../lib/ingest/message.ts";
import type { RejectionReason } from "../../../lib/ingest/rejection.ts";
import { writeMessage } from "../../../lib/ingest/write-message.ts";
import { MarketRegister } from "../../../lib/markets/market-register.ts";
import { putTrades } from "../../../lib/trades/put-trades.ts";
import type { Trade } from "../../../lib/trades/trade.ts";
import { TradeRegister } from "../../../lib/trades/trade-register.ts";
import { startService } from "../../../local/local-service.ts";
import { signRequest } from "../../../local/signing/sign-request.ts";
import { type OperatorQueues, openQueues } from "../../../ops/queue/queue-client.ts";
import { rejectedMessageOf } from "../../../ops/queue/rejected-message.ts";
import { batchesOf, sendBatch } from "../../../ops/queue/send-batch.ts";
import { MessageVisit } from "../../../ops/queue/visit-messages.ts";
import { cases } from "../../support/cases.ts";
import { sellOrderText, transactionText } from "../../support/documents.ts";
import { type Engine, startEngine } from "../../support/engine.ts";
import { fillEngine } from "../../support/filled-demo.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { serviceOptions } from "../../support/service-options.ts";

/** The threads of the function that reads the queue, while they run. */
const { workers } = vi.hoisted(() => ({ workers: new Set<Worker>() }));

vi.mock("node:worker_threads", async (original) => {
  const real = await original<typeof import("node:worker_threads")>();
  class WatchedWorker extends real.Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given);
      if (given[1]?.name?.endsWith("ingest-records") !== true) return;
      workers.add(this);
      this.on("exit", () => workers.delete(this));
    }
  }
  return { ...real, Worker: WatchedWorker };
});

const SEED = 20_261_128;
/** Twenty times as many are ten thousand messages, which take as long as a hook may. */
const TIMES = Math.min(cases(1), 20);
const COUNTS = {
  market: 20,
  transaction: 48 * TIMES,
  sell_order: 24 * TIMES,
  pass: 24 * TIMES,
  trade: 350 * TIMES,
} as const;
const ALL = Object.values(COUNTS).reduce((sum, count) => sum + count);
const TWICE = Math.floor(ALL / 10);
const PAGE = 300;
const SYMBOL = "QUE-USD";
const SAME = "SAM-USD";

interface Poison {
  readonly body: string;
  readonly reason: RejectionReason;
}

let engine: Engine;
let queues: OperatorQueues;
let service: Awaited<ReturnType<typeof startService>>;
const lines: string[] = [];
const random = randomOf(SEED);
const below = (end: number): number => Math.floor(random() * end);

const ids = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
const transactionsSent = new Map(
  ids(COUNTS.transaction, "queued").map((id) => [id, transactionText({ id })]),
);
const ordersSent = new Map(
  ids(COUNTS.sell_order, "order").map(() => {
    const id = randomUUID();
    return [id, sellOrderText({ id })];
  }),
);
const passText = (reference: string, version: unknown = 1): string =>
  JSON.stringify({ partner_reference: reference, template_id: "queued", type: "coupon", version });
const passesSent = ids(COUNTS.pass, "queued-pass");
const marketsSent = [SYMBOL, SAME, ...ids(COUNTS.market - 2, "M").map((_, at) => `M${at}-USD`)];
const trades = busyTrades(COUNTS.trade, 2, Date.now() - 60_000);
const tradeText = (
  { tradedAt, publishedAt, price, quantity, id, side }: Trade,
  members: object = {},
): string =>
  JSON.stringify({ tdt: tradedAt, p: price, q: quantity, pdt: publishedAt, tid: id, s: side, ...members });

/** Ten kinds of messages that can never be stored as they are, four of each. */
const poison: readonly Poison[] = Array.from({ length: 4 }, (_, at): readonly Poison[] => {
  const id = `poison-${at}`;
  const one = (
    kind: RecordKind,
    owner: string | undefined,
    text: string,
    reason: RejectionReason,
  ): Poison => ({
    body: writeMessage({ kind, owner }, [text]),
    reason,
  });
  const [trade] = trades as [Trade, ...Trade[]];
  const unlike = { tid: at.toString(16).padStart(32, "0") };
  return [
    { body: `no JSON ${at}`, reason: "not_json" },
    { body: `{"kind":"odd","record":{"at":${at}}}`, reason: "unknown_kind" },
    { body: `{"kind":"pass","record":${at},"records":[${at}]}`, reason: "invalid_message" },
    { body: `{"kind":"pass","record":"${String(at).repeat(250_000)}"}`, reason: "too_large" },
    one("transaction", "acme", transactionText({ id, state: "odd" }), "invalid_record"),
    one("sell_order", "ramp", sellOrderText({ id: randomUUID(), fiat: undefined }), "invalid_record"),
    one("pass", undefined, passText(id, -1), "invalid_record"),
    one("trade", SYMBOL, tradeText(trade, { ...unlike, p: "many" }), "invalid_record"),
    one("trade", `NONE${at}-USD`, tradeText(trade, unlike), "unknown_market"),
    one("market", undefined, `{"symbol":"no symbol ${at}"}`, "invalid_record"),
  ];
}).flat();

/** All messages, in an order that only the seed decides: the markets first, and the trades in the order of their times. */
function messagesOf(businessId: string, partnerId: string): readonly string[] {
  const markets = marketsSent.map((symbol) =>
    writeMessage({ kind: "market" }, [JSON.stringify({ symbol, anm: `Asset of ${symbol}` })]),
  );
  const streams = [
    [...transactionsSent.values()].map((text) =>
      writeMessage({ kind: "transaction", owner: businessId }, [text]),
    ),
    [...ordersSent.values()].map((text) => writeMessage({ kind: "sell_order", owner: partnerId }, [text])),
    passesSent.map((reference) => writeMessage({ kind: "pass" }, [passText(reference)])),
    trades.map((trade) => writeMessage({ kind: "trade", owner: SYMBOL }, [tradeText(trade)])),
    poison.map(({ body }) => body),
  ];
  const mixed: string[] = [];
  for (let left = streams.flat().length; left > 0; left -= 1) {
    let at = below(left);
    const stream = streams.find((one) => {
      at -= one.length;
      return at < 0;
    });
    mixed.push(stream?.shift() as string);
  }
  const all = [...markets, ...mixed];
  for (let again = 0; again < TWICE; again += 1) {
    const from = markets.length + below(all.length - markets.length);
    all.splice(from + below(all.length - from) + 1, 0, all[from] as string);
  }
  return all;
}

/** A table of the service. */
const table = (name: TableName) => tablesOf(engine.client, "local")(name);

/** How many records the function has stored so far, by its own lines. */
const storedCount = (): number =>
  lines.reduce((sum, line) => sum + Number(/"RecordsWritten":(\d+)/.exec(line)?.[1] ?? 0), 0);

beforeAll(async () => {
  engine = await startEngine("dynalite");
  await fillEngine(engine);
  const options = {
    ...serviceOptions(scratchDirectory()),
    engineEndpoint: engine.rawEndpoint,
    queueRetryS: 0,
  };
  const kills = [0.1, 0.35, 0.6].map((part) => Math.floor(ALL * part) + below(Math.floor(ALL / 7)));
  const log = (name: string, line: string): void => {
    lines.push(`${name}: ${line}`);
    if (!line.includes("RecordsWritten") || storedCount() < (kills[0] ?? Number.POSITIVE_INFINITY)) return;
    kills.shift();
    for (const worker of workers) void worker.terminate();
  };
  service = await startService(options, { progress: () => {}, log });
  queues = (await openQueues({ data: "", sqsEndpoint: service.queues?.endpoint ?? "" })) as OperatorQueues;
  const { business, ramp } = service.demo;
  await sendAll(messagesOf(business.id, ramp.partnerId));
  await vi.waitUntil(async () => (await countOf("records")) === 0, { timeout: 580_000, interval: 250 });
  expect(kills).toEqual([]);
}, 600_000);

afterAll(async () => {
  queues.close();
  await service.close();
  await engine.close();
});

async function sendAll(bodies: readonly string[]): Promise<void> {
  for (const batch of batchesOf(bodies.map((body) => ({ body }))))
    expect((await sendBatch(queues, batch)).filter((refused) => refused !== undefined)).toEqual([]);
}

async function countOf(role: QueueRole): Promise<number> {
  const QueueUrl = await queues.url(role);
  const { Attributes } = await queues.client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }),
  );
  return (
    Number(Attributes?.ApproximateNumberOfMessages) +
    Number(Attributes?.ApproximateNumberOfMessagesNotVisible)
  );
}

/** Empties an owner's buckets of charges, so that a test may make more requests than one caller may. */
async function refill(limit: string, owner: string): Promise<void> {
  const TableName = physicalTableName("local", "RateLimits");
  await engine.client.send(new DeleteItemCommand({ TableName, Key: { k: { S: `${limit}#${owner}` } } }));
}

describe("five hundred messages and more, one in ten of them twice, with three kills of all threads", () => {
  it("the kills interrupted batches", () => {
    expect(
      lines.filter((line) => line.includes("messages failed: the function ended its process")).length,
    ).toBeGreaterThanOrEqual(3);
  });

  it("every transaction is listed once, as it was sent", async () => {
    const { business } = service.demo;
    const found = new Map<string, string[]>();
    let query = "count=1000";
    for (;;) {
      await refill("business", business.id);
      const response = await fetch(`${service.demo.baseUrl}/transactions?${query}`, {
        headers: { authorization: `Bearer ${business.token}` },
      });
      const page = (await response.json()) as { id: string; created_at: string }[];
      expect(response.status).toBe(200);
      for (const one of page) found.set(one.id, [...(found.get(one.id) ?? []), JSON.stringify(one)]);
      const link = /<[^>]*\?([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      if (link === undefined) break;
      query = link;
    }
    for (const [id, text] of transactionsSent)
      expect(found.get(id)).toEqual([JSON.stringify(JSON.parse(text))]);
  });

  it("every sell order and every pass is read", async () => {
    const { ramp, passes, baseUrl } = service.demo;
    let asked = 0;
    const get = async (path: string, headers: Record<string, string>): Promise<unknown> => {
      asked += 1;
      if (asked % 20 === 1) {
        await refill("ramp", ramp.partnerId);
        await refill("passes", passes.walletId);
      }
      const response = await fetch(`${baseUrl}${path}`, { headers });
      expect(response.status).toBe(200);
      return await response.json();
    };
    for (const id of ordersSent.keys())
      expect(await get(`/sell-orders/${id}`, { "x-api-key": ramp.apiKey })).toMatchObject({ id });
    const headers = { authorization: `Bearer ${passes.token}`, [passes.versionHeader]: passes.version };
    for (const reference of passesSent)
      expect(await get(`/passes/${reference}`, headers)).toMatchObject({ partner_reference: reference });
  });

  it("every market is listed, and every trade is in its market's listing once, in order", async () => {
    const { baseUrl, exchange } = service.demo;
    const privateKey = await readFile(exchange.privateKeyFile, "utf8");
    const reader = new Countinghouse({ baseUrl, exchange: { apiKey: exchange.apiKey, privateKey } });
    const listed: string[] = [];
    const [{ tradedAt: from }] = trades as [Trade, ...Trade[]];
    for await (const { tid } of reader.exchange.trades({ symbol: SYMBOL, from })) listed.push(tid);
    const expected = trades.toSorted((a, b) => b.tradedAt - a.tradedAt || (a.id < b.id ? 1 : -1));
    expect(listed).toEqual(expected.map(({ id }) => id));
    const known = await Array.fromAsync(new MarketRegister(table("Settings")).list());
    expect(known.map(({ symbol }) => symbol)).toEqual(expect.arrayContaining(marketsSent));
  });

  it("every poisoned message is in the rejected queue with its reason, nothing else is, and none is dead", async () => {
    expect(await countOf("dead")).toBe(0);
    const visit = new MessageVisit(queues, "rejected");
    const found = (await Array.fromAsync(visit.messages())).flat().map(rejectedMessageOf);
    const reasons = new Map(found.map(({ body, reason }) => [body, reason]));
    expect(reasons).toEqual(new Map(poison.map(({ body, reason }) => [body, reason])));
  });

  it("a page of the trades costs at most 1.5 times the read units of the same trades after one import", async () => {
    await putTrades(new TradeRegister(table("Trades")), SAME, trades);
    const { exchange, baseUrl } = service.demo;
    const key = {
      apiKey: exchange.apiKey,
      privateKey: createPrivateKey(await readFile(exchange.privateKeyFile, "utf8")),
    };
    const unitsOf = async (symbol: string): Promise<number> => {
      const url = `${baseUrl}/1.0/trades/all/${symbol}?limit=${PAGE}`;
      const read = () =>
        fetch(url, {
          headers: signRequest({ method: "GET", url, now: Date.now() }, key, exchange.headerPrefix),
        });
      // The first read of a market looks it up.
      await (await read()).text();
      const response = await read();
      const { data } = (await response.json()) as { readonly data: readonly unknown[] };
      expect(data).toHaveLength(PAGE);
      return Number(/read-units=([\d.]+)/.exec(response.headers.get("x-local-bill") ?? "")?.[1]);
    };
    const [queued, imported] = [await unitsOf(SYMBOL), await unitsOf(SAME)];
    expect(queued).toBeLessThanOrEqual(1.5 * imported);
  });
});
