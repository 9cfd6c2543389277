import { MEMORY_MB_DEFAULT } from "../infra/settings/function-size.ts";
import { systemClock } from "../lib/clock.ts";
import { marketOf } from "../lib/markets/market.ts";
import { MarketRegister } from "../lib/markets/market-register.ts";
import { putTrades } from "../lib/trades/put-trades.ts";
import { stretchOf } from "../lib/trades/segment.ts";
import type { Trade } from "../lib/trades/trade.ts";
import { TradeRegister } from "../lib/trades/trade-register.ts";
import { prices } from "../local/bill/prices.ts";
import { compact } from "../ops/segments/compact.ts";
import { minuteOf } from "../ops/segments/compaction-step.ts";
import type { Engine } from "../test/support/engine.ts";
import { type IngestHandler, ingestOver, RejectedMessages } from "../test/support/message-queue.ts";
import { workMs } from "./deployed-bill.ts";
import { type Figure, figureOfCounts, type Measurement } from "./figure.ts";
import { startBenchEngine } from "./support/bench-engine.ts";
import {
  DAY_TRADES,
  dayOfTrades,
  deliveriesOf,
  messagesOf,
  type SentMessage,
} from "./support/day-of-trades.ts";
import { type ListedDay, listDay } from "./support/list-day.ts";
import { meteredTable } from "./support/metered-table.ts";

/** How much of a measurement a quick one does. */
const QUICK_SHARE = 0.02;
const MESSAGE_TRADES = 10;
const AGAIN_ONE_IN = 10;
const INVOCATIONS_AT_ONCE = 4;
/** Messages that one request of SQS sends, receives or deletes. */
const MESSAGES_PER_REQUEST = 10;
/** The billed time in which a function waits for one answer of the store; an assumption. */
const STORE_ANSWER_MS = 3;
const MILLION = 1_000_000;
/** Compaction is not begun for less than this. */
const RATIO_MAX = 1.5;

/** How a queue hands out messages. */
const shapes = [
  { name: "backlog", share: 1, batch: 100, againAfter: 5 },
  /** A window of two seconds of a market with 11.6 trades a second; what fails comes again after six minutes. */
  { name: "live", share: 0.1, batch: 3, againAfter: 140 },
] as const;

type Shape = (typeof shapes)[number];

export const ingest: Measurement = {
  name: "ingest",
  about:
    `A day's million trades of one market through the function that takes in messages, ${MESSAGE_TRADES} trades a message, ` +
    `in order; one message in ${AGAIN_ONE_IN} comes twice, the second time in a later batch. A backlog comes in batches of 100 messages. ` +
    "Live trades, a tenth of the day, come in batches of 3, which is what two seconds bring. The peer is one import of the same trades. " +
    "Wall time includes the engine, which also counts the units. Dollars follow from the units, the requests of SQS (ten messages in " +
    `one), and the CPU of the function at ${MEMORY_MB_DEFAULT.toLocaleString("en-US")} MB with ${STORE_ANSWER_MS} ms for each answer of the store. All trades are listed in pages of ` +
    "1,000 before and after a compaction, and compared with those that were sent.",
  run: measure,
};

async function measure({ isQuick = false } = {}): Promise<readonly Figure[]> {
  const engine = await startBenchEngine();
  try {
    const figures: Figure[] = [];
    for (const shape of shapes) {
      const trades = dayOfTrades(DAY_TRADES * shape.share * (isQuick ? QUICK_SHARE : 1));
      figures.push(...(await measureShape(engine, shape, trades)));
    }
    return figures;
  } finally {
    await engine.close();
  }
}

interface Day {
  readonly seconds: number;
  readonly writeUnits: number;
  /** Dollars of the store, and of all. */
  readonly storeDollars: number;
  readonly dollars: number;
  readonly listed: ListedDay;
}

const storeDollarsOf = (meter: { readonly writeUnits: number; readonly readUnits: number }): number =>
  (meter.writeUnits * prices.writeUnitsPerMillion + meter.readUnits * prices.readUnitsPerMillion) / MILLION;

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000;

/** Writes the trades as one import does, hour by hour, so that no stretch is cut. */
async function importDay(engine: Engine, symbol: string, trades: readonly Trade[]): Promise<Day> {
  const { table, meter } = meteredTable(engine.table("Trades"));
  const register = new TradeRegister(table);
  const startedAt = performance.now();
  for (const hour of Map.groupBy(trades, (one) => Math.floor(stretchOf(one) / 1_800)).values())
    await putTrades(register, symbol, hour);
  const seconds = secondsSince(startedAt);
  const dollars = storeDollarsOf(meter);
  const listed = await listDay(engine.table("Trades"), symbol, trades);
  return { seconds, writeUnits: meter.writeUnits, storeDollars: dollars, dollars, listed };
}

async function measureShape(engine: Engine, shape: Shape, trades: readonly Trade[]): Promise<Figure[]> {
  const symbol = `${shape.name.toUpperCase()}-USD`;
  const imported = await importDay(engine, `${shape.name.toUpperCase()}-EUR`, trades);
  const taken = await takeIn(engine, symbol, shape, trades);
  const compaction = await compactDay(engine, symbol, trades);
  const after = await listDay(engine.table("Trades"), symbol, trades);
  const against = { peerName: "one import of the same trades" };
  const line = (what: string, unit: string, ours: number, peer: number, ratioMax?: number) =>
    figureOfCounts(
      { ...against, what: `${shape.name}: ${what}`, unit, ...(ratioMax !== undefined && { ratioMax }) },
      ours,
      peer,
    );
  return [
    line("wall time", "s", taken.seconds, imported.seconds),
    line("write units", "units", taken.writeUnits, imported.writeUnits),
    line("dollars of DynamoDB", "$", taken.storeDollars, imported.storeDollars),
    line("dollars of DynamoDB, SQS and Lambda", "$", taken.dollars, imported.dollars),
    line("read units of a page", "units", taken.listed.unitsPerPage, imported.listed.unitsPerPage),
    line("trades listed once, in order", "trades", taken.listed.trades, trades.length, 1),
    line("compaction: wall time without its pause", "s", compaction.seconds, imported.seconds),
    line("compaction: write units", "units", compaction.writeUnits, imported.writeUnits),
    line(
      "compacted: read units of a page",
      "units",
      after.unitsPerPage,
      imported.listed.unitsPerPage,
      RATIO_MAX,
    ),
    line("compacted: trades listed once, in order", "trades", after.trades, trades.length, 1),
  ];
}

/** Sends the trades through the function. */
async function takeIn(engine: Engine, symbol: string, shape: Shape, trades: readonly Trade[]): Promise<Day> {
  await new MarketRegister(engine.table("Settings")).put(marketOf(symbol));
  const { table, meter } = meteredTable(engine.table("Trades"));
  const rejected = new RejectedMessages();
  const handler = ingestOver(
    { table: (name) => (name === "Trades" ? table : engine.table(name)) },
    { rejected, clock: systemClock },
  );
  const messages = [...messagesOf(symbol, trades, MESSAGE_TRADES)];
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const delivered = await deliver(handler, deliveriesOf(messages, { ...shape, againOneIn: AGAIN_ONE_IN }));
  const seconds = secondsSince(startedAt);
  const { user, system } = process.cpuUsage(cpu);
  if (rejected.messages.length > 0) throw new Error("Trades were rejected.");
  const sends = Math.ceil(messages.length / MESSAGES_PER_REQUEST);
  // Each invocation also reads the list of markets.
  const storeAnswers = meter.calls + delivered.invocations;
  const storeDollars = storeDollarsOf(meter);
  const dollars =
    storeDollars +
    ((sends + delivered.requests) * prices.queuePerMillion) / MILLION +
    lambdaDollars(delivered.invocations, (user + system) / 1_000, storeAnswers);
  const listed = await listDay(engine.table("Trades"), symbol, trades);
  return { seconds, writeUnits: meter.writeUnits, storeDollars, dollars, listed };
}

function lambdaDollars(invocations: number, cpuMs: number, storeAnswers: number): number {
  const seconds = (workMs(cpuMs, MEMORY_MB_DEFAULT) + storeAnswers * STORE_ANSWER_MS) / 1_000;
  const gbSeconds = seconds * (MEMORY_MB_DEFAULT / 1_024);
  return (invocations * prices.lambdaPerMillion) / MILLION + gbSeconds * prices.lambdaPerGbSecond;
}

/** What Lambda and SQS were asked for while messages were delivered. */
interface Delivered {
  invocations: number;
  /** Requests that receive or delete messages. */
  requests: number;
}

/** Hands batches to the function, several at once. A message that is returned ends the measurement. */
async function deliver(
  handler: IngestHandler,
  batches: Iterator<SentMessage[], undefined> & Iterable<SentMessage[]>,
): Promise<Delivered> {
  const delivered: Delivered = { invocations: 0, requests: 0 };
  const work = async (): Promise<void> => {
    for (const batch of batches) {
      const Records = batch.map((message) => ({ ...message, attributes: { ApproximateReceiveCount: "1" } }));
      const context = { awsRequestId: "bench", getRemainingTimeInMillis: () => 60_000 };
      const { batchItemFailures } = await handler({ Records }, context);
      if (batchItemFailures.length > 0) throw new Error("A message was returned.");
      delivered.invocations += 1;
      delivered.requests += 2 * Math.ceil(batch.length / MESSAGES_PER_REQUEST);
    }
  };
  await Promise.all(Array.from({ length: INVOCATIONS_AT_ONCE }, work));
  return delivered;
}

/** Compacts the day without its pauses, because nobody reads meanwhile. */
async function compactDay(
  engine: Engine,
  symbol: string,
  trades: readonly Trade[],
): Promise<Pick<Day, "seconds" | "writeUnits">> {
  const { table, meter } = meteredTable(engine.table("Trades"));
  const startedAt = performance.now();
  await compact({
    store: new TradeRegister(table),
    symbol,
    minutes: trades.map(({ tradedAt }) => minuteOf(tradedAt)),
    clock: systemClock,
    pause: async () => {},
    stop: new AbortController().signal,
    report: () => {},
  });
  return { seconds: secondsSince(startedAt), writeUnits: meter.writeUnits };
}
