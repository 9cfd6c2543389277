import { setImmediate as othersFirst } from "node:timers/promises";
import type { Market } from "../markets/market.ts";
import { instantViolation, isAncient } from "../trades/instant-sense.ts";
import { UnreadableSegment } from "../trades/pack-segment.ts";
import { putTrades, type SegmentSink } from "../trades/put-trades.ts";
import { tradeDocumentReader } from "../trades/trade-document.ts";
import type { GivenRecord } from "./delivery.ts";
import { FairTasks } from "./fair-tasks.ts";
import { type Markets, marketFinder } from "./find-market.ts";
import { cutBatches, type GivenTrade, type TradeBatch } from "./trade-batch.ts";
import { attempt, giveBack, turnOf, type Work } from "./work.ts";

/** The most batches under way at once, but for one of each market: as many as an import has. */
const BATCHES_AT_ONCE = 4;

export interface TradeParts {
  readonly markets: Markets;
  readonly sink: SegmentSink;
  /** Where all trades are executed and published. */
  readonly venue: string;
}

/**
 * Writes trades, those of one market and revision together. It resolves when each is stored, rejected, or its message
 * returned; a batch that could not be written returns every message that gave to it. No market waits for another one, and
 * a batch begins with the first turn of any message that gave to it.
 */
export async function writeTrades(
  records: readonly GivenRecord[],
  { markets, sink, venue }: TradeParts,
  work: Work,
): Promise<void> {
  const tasks = new FairTasks(BATCHES_AT_ONCE);
  const find = marketFinder(markets, work);
  const writeMarket = async (symbol: string, own: readonly GivenRecord[]): Promise<void> => {
    const market = await find(symbol, own);
    const trades = market === undefined ? [] : await readTrades(market, own, venue, work);
    for (const batch of cutBatches(symbol, trades))
      addOnce(tasks, batch, () => writeBatch(batch, sink, work));
  };
  const bySymbol = Map.groupBy(records, ({ head }) => head.owner ?? "");
  await Promise.all([...bySymbol].map(([symbol, own]) => writeMarket(symbol, own)));
  await tasks.end();
}

/** Adds the writing of a batch at the turn of each message that gave to it. The first one that comes does it. */
function addOnce(tasks: FairTasks, { given }: TradeBatch, write: () => Promise<void>): void {
  let hasBegun = false;
  const task = async (): Promise<void> => {
    if (hasBegun) return;
    hasBegun = true;
    await write();
  };
  const oneOfEach = new Map(given.map(({ record }) => [record.delivery, record]));
  for (const record of oneOfEach.values()) tasks.add(turnOf(record), task);
}

/** The trades of a market's records; the others are rejected. Other work goes on between the messages. */
async function readTrades(
  market: Market,
  given: readonly GivenRecord[],
  venue: string,
  { clock }: Work,
): Promise<readonly GivenTrade[]> {
  const read = tradeDocumentReader({ symbol: market.symbol, market, venue });
  const now = clock();
  const trades: GivenTrade[] = [];
  for (const own of Map.groupBy(given, ({ delivery }) => delivery).values()) {
    for (const record of own) {
      const checked = read(record.text);
      const violation = checked.ok ? instantViolation(checked.value, now) : checked.reason;
      if (violation !== undefined) record.delivery.reject(record, "invalid_record", violation);
      else if (checked.ok) trades.push({ record, trade: checked.value });
    }
    await othersFirst();
  }
  return trades;
}

/** Writes a batch. A trade that would not be read as it was given is rejected, and the others are written without it. */
async function writeBatch(batch: TradeBatch, sink: SegmentSink, work: Work): Promise<void> {
  const { symbol, revision } = batch;
  let given = batch.given;
  while (given.length > 0) {
    try {
      const trades = given.map(({ trade }) => trade);
      const put = () => putTrades(sink, symbol, trades, revision);
      const { withdrawn } = await attempt(work, put);
      count(given, withdrawn, work);
      return;
    } catch (error) {
      given =
        error instanceof UnreadableSegment
          ? withoutUnreadable(given, error)
          : giveAllBack(given, error, work);
    }
  }
}

/** A trade that is withdrawn stays so, as a stale version of a record does. */
function count(given: readonly GivenTrade[], withdrawn: number, { report }: Work): void {
  const ancient = given.filter(({ trade }) => isAncient(trade)).length;
  report.count("trade", "RecordsWritten", given.length - withdrawn);
  report.count("trade", "RecordsStale", withdrawn);
  report.count("trade", "RecordsUnusual", ancient);
}

function withoutUnreadable(given: readonly GivenTrade[], { segment }: UnreadableSegment): GivenTrade[] {
  const unreadable = new Set(segment.trades);
  const detail = "the trade would be read back otherwise than it was given";
  for (const { record, trade } of given)
    if (unreadable.has(trade)) record.delivery.reject(record, "unreadable", detail);
  return given.filter(({ trade }) => !unreadable.has(trade));
}

function giveAllBack(given: readonly GivenTrade[], error: unknown, work: Work): [] {
  for (const { record } of given) giveBack(record.delivery, error, work);
  return [];
}
