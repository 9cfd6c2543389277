import type { Context, SQSBatchResponse } from "aws-lambda";
import { type Clock, systemClock } from "../clock.ts";
import { runUntil } from "../deadline.ts";
import { currentTraceId } from "../env.ts";
import type { Log } from "../log.ts";
import { MarketStore } from "../markets/market-store.ts";
import type { SegmentSink } from "../trades/put-trades.ts";
import { reportDamage } from "../trades/report-damage.ts";
import { TradeRegister } from "../trades/trade-register.ts";
import { BatchReport } from "./batch-report.ts";
import { Delivery, type ReceivedMessage } from "./delivery.ts";
import { Listings } from "./find-market.ts";
import type { RejectedQueue } from "./rejected-queue.ts";
import { sendRejections } from "./send-rejections.ts";
import type { Work } from "./work.ts";
import { type RecordTables, type RecordWriters, versionsOf, writeRecords } from "./write-records.ts";
import { type TradeParts, writeTrades } from "./write-trades.ts";

/** How many ms before Lambda's own limit writing ends, so that rejections can still be sent. */
const WRITING_RESERVE_MS = 10_000;
/** How many ms before Lambda's own limit everything ends, so that the answer is given in time. */
const ANSWER_RESERVE_MS = 3_000;

/** The most records under way at once, of all kinds together: as many as an import has. */
const WRITES_AT_ONCE = 32;

export interface IngestParts {
  readonly tables: RecordTables;
  readonly writers: RecordWriters;
  readonly venue: string;
  readonly rejected: Pick<RejectedQueue, "send">;
  readonly clock?: Clock;
  readonly log: Log;
  /** Waits between attempts to reach the store. */
  readonly wait?: Work["wait"];
  /** Makes a signal that aborts after so many ms; by the machine's timer by default. */
  readonly signalAfter?: (ms: number) => AbortSignal;
}

/** A batch as Lambda hands it over. */
export interface MessageBatch {
  readonly Records: readonly ReceivedMessage[];
}

type InvocationContext = Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">;

/**
 * Builds the function that Lambda calls with a batch of messages (docs: decision 47). Its answer names the messages to be
 * received again: those with a record that was neither stored nor rejected before the time was over.
 */
export function ingestRecords(
  parts: IngestParts,
): (batch: MessageBatch, context: InvocationContext) => Promise<SQSBatchResponse> {
  const { log, clock = systemClock, rejected, wait, signalAfter = (ms) => AbortSignal.timeout(ms) } = parts;
  return async ({ Records }, context) => {
    const report = new BatchReport();
    const workUntil = (reserveMs: number): Work => {
      const signal = signalAfter(Math.max(0, context.getRemainingTimeInMillis() - reserveMs));
      return { clock, report, signal, ...(wait !== undefined && { wait }) };
    };
    const deliveries = Records.map((message) => new Delivery(message));
    await store(deliveries, parts, workUntil(WRITING_RESERVE_MS));
    await sendRejections(deliveries, rejected, workUntil(ANSWER_RESERVE_MS));
    report.write(log, clock(), originOf(context));
    const returned = deliveries.filter(({ isReturned }) => isReturned).map(({ messageId }) => messageId);
    return { batchItemFailures: [...new Set(returned)].map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/**
 * Writes all records, those of each kind at the same time as the others: while one table fails, the others are written.
 * Only trades whose market is not listed yet wait for the markets of their batch, each for its own.
 */
async function store(deliveries: readonly Delivery[], parts: IngestParts, work: Work): Promise<void> {
  const byKind = Object.groupBy(
    deliveries.flatMap(({ records }) => records),
    ({ head }) => head.kind,
  );
  const { market = [], trade = [], ...others } = byKind;
  const atOnce = Math.floor(WRITES_AT_ONCE / Math.max(1, Object.keys(byKind).length));
  const writing = { writers: parts.writers, atOnce };
  const markets = versionsOf(market);
  const listings = new Listings(markets, trade);
  await runUntil(work.signal, async () => {
    const written = Object.values(others).map((records) => writeRecords(versionsOf(records), writing, work));
    const listed = writeRecords(markets, { ...writing, onEnd: listings.end }, work);
    await Promise.all([...written, listed, writeTrades(trade, tradePartsOf(parts, listings, work), work)]);
  });
}

const tradePartsOf = (
  { tables, venue, log }: IngestParts,
  listings: Listings,
  { clock }: Work,
): TradeParts => ({
  markets: { reader: () => new MarketStore(tables.settings, clock), listings },
  sink: lookingSink(new TradeRegister(tables.trades)),
  reportDamage: (symbol, damaged) => reportDamage(symbol, damaged, { clock, log }),
  venue,
});

/** A sink that tells what trades meet in their places. */
const lookingSink = (register: TradeRegister): SegmentSink => ({
  put: (segments, signal) => register.put(segments, signal),
  withdrawals: (symbol, span) => register.withdrawals(symbol, span),
  standing: (symbol, span) => register.segmentsWithin(symbol, span),
});

const originOf = ({ awsRequestId }: InvocationContext) => {
  const traceId = currentTraceId();
  return { aws_request_id: awsRequestId, ...(traceId !== undefined && { trace_id: traceId }) };
};
