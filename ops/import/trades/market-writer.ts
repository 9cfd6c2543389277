import { systemClock } from "../../../lib/clock.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import type { Market } from "../../../lib/markets/market.ts";
import { MarketRegister } from "../../../lib/markets/market-register.ts";
import { UnreadableSegment } from "../../../lib/trades/pack-segment.ts";
import { putTrades, type SegmentSink } from "../../../lib/trades/put-trades.ts";
import { keyText } from "../../../lib/trades/read-segment.ts";
import { readKey } from "../../../lib/trades/segment-key.ts";
import { TradeRegister } from "../../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../../lib/trades/trade-store.ts";
import { DamagedWithdrawals } from "../../../lib/trades/withdrawn-places.ts";
import { OperatorError } from "../../../local/process/operator-error.ts";
import { actorOf } from "../../audit/actor.ts";
import type { OperatorStore } from "../../store/operator-store.ts";
import { instantText } from "../../terminal/write-table.ts";
import type { ImportJournal } from "../journal/import-journal.ts";
import { JournaledSegments, presentAmong } from "../journal/journaled-segments.ts";
import { withdrawTrades } from "./withdraw-trades.ts";
import type { WriteTrades } from "./write-trades.ts";

/** How the trades of a file are written. */
export interface TradeWriting {
  readonly market: Market;
  /** Whether the market is listed already. */
  readonly isListed: boolean;
  readonly revision?: number | undefined;
  /** Whether trades are taken back. */
  readonly isWithdrawal: boolean;
  /** Whether nothing is stored. */
  readonly isRehearsal: boolean;
  /** The journal by which the import can be taken back. */
  readonly journal?: ImportJournal | undefined;
}

/** Writes batches; the first lists an unlisted market. @throws {OperatorError} for a withdrawal from such a market. */
export function marketWriter(store: OperatorStore, writing: TradeWriting): WriteTrades {
  const { market, isListed, isWithdrawal, isRehearsal, journal } = writing;
  const write = segmentWriter(store, writing);
  if (isListed) return write;
  if (isWithdrawal) {
    const way = "`markets list` shows the markets";
    throw new OperatorError(
      `${market.symbol} is not listed, so it has no trades to take back. Check --market: ${way}.`,
    );
  }
  const list = isRehearsal ? rehearsedListing(market) : listing(store, market, journal);
  return async (trades) => {
    const written = await write(trades);
    await list();
    return written;
  };
}

function segmentWriter({ table }: OperatorStore, writing: TradeWriting): WriteTrades {
  const { market, revision, isWithdrawal } = writing;
  const sink = sinkOf(table("Trades"), writing);
  const write: WriteTrades = isWithdrawal
    ? (trades) => withdrawTrades(sink, market.symbol, trades, revision ?? 1)
    : (trades) => putTrades(sink, market.symbol, trades, revision);
  return (trades) => write(trades).catch(explainUnreadable);
}

function sinkOf(table: Table, { isRehearsal, journal }: TradeWriting): SegmentSink {
  if (isRehearsal) return rehearsal(table);
  return journal === undefined ? new TradeRegister(table) : new JournaledSegments(table, journal);
}

/** The most segments that a dry run remembers as stored, the last ones. */
const REHEARSED_MAX = 10_000;

/** Reads the store as an import does, and stores nothing: what it would have stored counts as stored for later batches. */
function rehearsal(table: Table): SegmentSink {
  const register = new TradeRegister(table);
  const present = new WeakSet<StoredSegment>();
  const rehearsed: { readonly endsAtMs: number; readonly segment: StoredSegment }[] = [];
  return {
    put: async (segments) => {
      for (const segment of await presentAmong(table, segments)) present.add(segment);
      for (const segment of segments)
        rehearsed.push({ endsAtMs: readKey(segment.sort).last.tradedAt, segment });
      rehearsed.splice(0, rehearsed.length - REHEARSED_MAX);
    },
    wasStored: (segment) => present.has(segment),
    withdrawals: (symbol, span) => register.withdrawals(symbol, span),
    standing: async (symbol, span) => {
      const isWithin = (endsAtMs: number): boolean => endsAtMs >= span.fromMs && endsAtMs <= span.toMs;
      const later = rehearsed.filter(({ endsAtMs }) => isWithin(endsAtMs)).map(({ segment }) => segment);
      return [...(await register.segmentsWithin(symbol, span)), ...later];
    },
  };
}

function explainUnreadable(error: unknown): never {
  if (error instanceof DamagedWithdrawals) {
    const keys = error.segments.map(({ segment }) => keyText(segment)).join(", ");
    throw new OperatorError(
      `Segments of withdrawals are damaged: ${keys}. Remove each with \`segments take-out\`, then withdraw its trades again.`,
      error,
    );
  }
  if (!(error instanceof UnreadableSegment)) throw error;
  const [first] = error.segment.trades;
  throw new OperatorError(
    `Trades around ${instantText(first.tradedAt)} would be read back otherwise than they are in the file, so their batch was not stored. Please report this.`,
    error,
  );
}

/** Lists a market once its first batch is stored. */
function listing(store: OperatorStore, market: Market, journal?: ImportJournal): () => Promise<void> {
  const register = new MarketRegister(store.table("Settings"));
  const list = async () => {
    await journal?.noteMarket(true);
    const isNew = await register.add(market, { at: systemClock(), by: await actorOf(store) });
    if (isNew) console.error(`${market.symbol} is listed now, as ${market.anm} in ${market.pc}.`);
    else await journal?.noteMarket(false);
  };
  let listed: Promise<void> | undefined;
  return () => {
    // Several batches may get here at once.
    listed ??= list().catch((error: unknown) => {
      listed = undefined;
      throw error;
    });
    return listed;
  };
}

function rehearsedListing({ symbol, anm, pc }: Market): () => Promise<void> {
  let isTold = false;
  return async () => {
    if (!isTold) console.error(`${symbol} would be listed, as ${anm} in ${pc}.`);
    isTold = true;
  };
}
