import { setImmediate as othersFirst } from "node:timers/promises";
import type { Market } from "../markets/market.ts";
import { instantViolation, isAncient } from "../trades/instant-sense.ts";
import { UnreadableSegment } from "../trades/pack-segment.ts";
import { putTrades, type SegmentSink, type WrittenTrades } from "../trades/put-trades.ts";
import type { DamagedSegment } from "../trades/read-segment.ts";
import type { Meeting } from "../trades/standing-trades.ts";
import { tradeDocumentReader } from "../trades/trade-document.ts";
import { DamagedWithdrawals } from "../trades/withdrawn-places.ts";
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
  /** Tells of a segment of withdrawals that keeps trades out. */
  readonly reportDamage: (symbol: string, damaged: DamagedSegment) => void;
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
  { markets, venue, ...parts }: TradeParts,
  work: Work,
): Promise<void> {
  const tasks = new FairTasks(BATCHES_AT_ONCE);
  const find = marketFinder(markets, work);
  const writeMarket = async (symbol: string, own: readonly GivenRecord[]): Promise<void> => {
    const market = await find(symbol, own);
    const trades = market === undefined ? [] : await readTrades(market, own, venue, work);
    for (const batch of cutBatches(symbol, trades))
      addOnce(tasks, batch, () => writeBatch(batch, parts, work));
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

/**
 * Writes a batch. A trade that would not be read as it was given is rejected, one that may be withdrawn by a damaged segment
 * is returned, and the others are written without it.
 */
async function writeBatch(
  { symbol, revision, given: all }: TradeBatch,
  { sink, reportDamage }: Pick<TradeParts, "sink" | "reportDamage">,
  work: Work,
): Promise<void> {
  let given = all;
  while (given.length > 0) {
    try {
      const trades = given.map(({ trade }) => trade);
      const put = () => putTrades(sink, symbol, trades, revision);
      count(given, await attempt(work, put), work);
      return;
    } catch (error) {
      if (error instanceof DamagedWithdrawals)
        for (const damaged of error.segments) reportDamage(symbol, damaged);
      given =
        error instanceof UnreadableSegment
          ? withoutUnreadable(given, error)
          : withoutReturned(given, error, work);
    }
  }
}

/**
 * Counts what became of the trades of a batch. One that is withdrawn stays so, as a stale version of a record does, and so does
 * one that a higher revision has corrected. A trade whose place another one has is rejected.
 */
function count(given: readonly GivenTrade[], written: WrittenTrades, { report }: Work): void {
  const meetings = new Map(written.meetings?.map((meeting) => [meeting.trade, meeting.meets]));
  const metBy = (...kinds: readonly Meeting["meets"][]) =>
    given.filter(({ trade }) => kinds.some((kind) => kind === meetings.get(trade)));
  const doubles = metBy("another");
  for (const { record } of doubles) record.delivery.reject(record, "double_id", DOUBLE);
  const stale = written.withdrawn + metBy("newer").length;
  const unusual = new Set([
    ...given.filter(({ trade }) => isAncient(trade)),
    ...metBy("replaced", "nothing"),
  ]);
  report.count("trade", "RecordsWritten", given.length - stale - doubles.length);
  report.count("trade", "RecordsStale", stale);
  report.count("trade", "RecordsUnusual", unusual.size);
}

const DOUBLE = "tdt and tid are those of another trade, which counts in its place";

function withoutUnreadable(given: readonly GivenTrade[], { segment }: UnreadableSegment): GivenTrade[] {
  const unreadable = new Set(segment.trades);
  const detail = "the trade would be read back otherwise than it was given";
  for (const { record, trade } of given)
    if (unreadable.has(trade)) record.delivery.reject(record, "unreadable", detail);
  return given.filter(({ trade }) => !unreadable.has(trade));
}

/** Returns the messages of the trades that an error keeps out, which are all unless it says better. */
function withoutReturned(given: readonly GivenTrade[], error: unknown, work: Work): GivenTrade[] {
  const isKeptOut = ({ trade }: GivenTrade): boolean =>
    !(error instanceof DamagedWithdrawals) || error.concerns(trade);
  for (const one of given) if (isKeptOut(one)) giveBack(one.record.delivery, error, work);
  return given.filter((one) => !isKeptOut(one));
}
