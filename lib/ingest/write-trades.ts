import { BoundedTasks } from "../bounded-tasks.ts";
import { unavailable } from "../errors.ts";
import type { Market } from "../markets/market.ts";
import type { MarketStore } from "../markets/market-store.ts";
import { instantViolation, isAncient } from "../trades/instant-sense.ts";
import { UnreadableSegment } from "../trades/pack-segment.ts";
import { putTrades, type SegmentSink } from "../trades/put-trades.ts";
import { tradeDocumentReader } from "../trades/trade-document.ts";
import type { GivenRecord } from "./delivery.ts";
import { cutBatches, type GivenTrade, type TradeBatch } from "./trade-batch.ts";
import { attempt, giveBack, type Work } from "./work.ts";

/** The most batches under way at once: as many as an import has. */
const BATCHES_AT_ONCE = 4;

/**
 * How often a message is received before a market that is not listed counts as one that never will be: its own message
 * may still be under way, and may itself be returned once.
 */
export const UNKNOWN_MARKET_RECEIVES = 3;

export interface TradeParts {
  /** Reads what is stored now. */
  readonly markets: Pick<MarketStore, "get">;
  readonly sink: SegmentSink;
  /** Where all trades are executed and published. */
  readonly venue: string;
}

/**
 * Writes trades, those of one market and revision together. It resolves when each is stored, rejected, or its message
 * returned; a batch that could not be written returns every message that gave to it.
 */
export async function writeTrades(
  records: readonly GivenRecord[],
  parts: TradeParts,
  work: Work,
): Promise<void> {
  const tasks = new BoundedTasks(BATCHES_AT_ONCE);
  for (const [symbol, given] of Map.groupBy(records, ({ head }) => head.owner ?? "")) {
    const market = await marketOf(symbol, given, parts, work);
    const trades = market === undefined ? [] : readTrades(market, given, parts, work);
    for (const batch of cutBatches(symbol, trades))
      await tasks.run(() => writeBatch(batch, parts.sink, work));
  }
  await tasks.end();
}

/** The market of a symbol. Without one, its trades are returned or rejected. */
async function marketOf(
  symbol: string,
  given: readonly GivenRecord[],
  { markets }: TradeParts,
  work: Work,
): Promise<Market | undefined> {
  try {
    const market = await attempt(work, () => markets.get(symbol));
    if (market !== undefined) return market;
  } catch (error) {
    for (const { delivery } of given) giveBack(delivery, error, work);
    return undefined;
  }
  for (const record of given) {
    if (record.delivery.receiveCount < UNKNOWN_MARKET_RECEIVES)
      giveBack(record.delivery, unavailable("The market of trades is not listed yet."), work);
    else record.delivery.reject(record, "unknown_market", "owner must be the symbol of a listed market");
  }
  return undefined;
}

/** The trades of a market's records; the others are rejected. */
function readTrades(
  market: Market,
  given: readonly GivenRecord[],
  { venue }: TradeParts,
  { clock }: Work,
): readonly GivenTrade[] {
  const read = tradeDocumentReader({ symbol: market.symbol, market, venue });
  const now = clock();
  return given.flatMap((record) => {
    const checked = read(record.text);
    const violation = checked.ok ? instantViolation(checked.value, now) : checked.reason;
    if (violation !== undefined) record.delivery.reject(record, "invalid_record", violation);
    if (!checked.ok || violation !== undefined) return [];
    return { record, trade: checked.value };
  });
}

/** Writes a batch. A trade that would not be read as it was given is rejected, and the others are written without it. */
async function writeBatch(batch: TradeBatch, sink: SegmentSink, work: Work): Promise<void> {
  const { symbol, revision } = batch;
  let given = batch.given;
  while (given.length > 0) {
    try {
      const trades = given.map(({ trade }) => trade);
      const { withdrawn } = await attempt(work, () => putTrades(sink, symbol, trades, revision));
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
