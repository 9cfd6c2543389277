import { packSegment } from "./pack-segment.ts";
import { cutSegments, FIRST_REVISION } from "./segment.ts";
import { type Meeting, meetingsOf, readStanding, type StandingSource } from "./standing-trades.ts";
import { type Place, placeText, type Trade } from "./trade.ts";
import type { StoredSegment } from "./trade-store.ts";
import { type WithdrawalSource, withdrawnPlaces } from "./withdrawn-places.ts";

/** The store that segments are written to. */
export interface SegmentSink extends WithdrawalSource, StandingSource {
  /** Writes segments, whatever is stored already; gives up when the signal is aborted. */
  put(segments: readonly StoredSegment[], signal?: AbortSignal): Promise<void>;
  /** Whether a segment that was to be written was stored already; absent from a sink that does not look. */
  wasStored?(segment: StoredSegment): boolean;
}

/**
 * The longest time from reading the withdrawals of a batch to the end of its writing. Compaction removes records for
 * good only when their withdrawal has stood apart for longer, when no writer that missed it can put them back.
 */
export const WRITE_MS_MAX = 25_000;

/** The result of a batch. */
export interface WrittenTrades {
  /** Segments that are stored now. */
  readonly segments: number;
  /** Trades whose segment was stored already; absent from a sink that does not look. */
  readonly unchanged?: number;
  /** Trades that were left out, because this revision or a higher one withdraws them. */
  readonly withdrawn: number;
  /** What trades that were not left out have met in their places; absent when they met nothing unusual. */
  readonly meetings?: readonly Meeting[];
  /** Of those that readers do not see for what they met, how many were not stored before. */
  readonly hidden?: number;
}

/**
 * Stores trades of a market that keep their rules (`tradeViolation`), in any order. Safe to run concurrently and
 * repeatedly: late, repeated and overlapping trades are still listed exactly once.
 *
 * @param revision 0 for trades as they were first reported. A higher one corrects: readers see the record of a trade
 * with the highest revision.
 * @throws {UnreadableSegment} when a segment would not read as it was written; then none was written.
 * @throws {DamagedWithdrawals} when nobody knows which of the trades are withdrawn; then none was written.
 */
export async function putTrades(
  sink: SegmentSink,
  symbol: string,
  trades: readonly Trade[],
  revision = FIRST_REVISION,
): Promise<WrittenTrades> {
  const signal = AbortSignal.timeout(WRITE_MS_MAX);
  const withdrawn = await withdrawnPlaces(sink, symbol, trades);
  const standing = trades.filter((trade) => !((withdrawn.get(placeText(trade)) ?? -1) >= revision));
  const segments = cutSegments(standing, revision);
  const packed = segments.map((segment) => packSegment(symbol, segment));
  const look = () => readStanding(sink, symbol, standing);
  // What a correction corrects is there before it. Of two first reports at once, the later one sees the other afterwards.
  const before = revision > FIRST_REVISION ? await look() : undefined;
  await sink.put(packed, signal);
  const isStored = (at: number) => sink.wasStored?.(packed[at] as StoredSegment) === true;
  const stored = segments.filter((_, at) => isStored(at)).flatMap((segment) => segment.trades);
  // They are written by now, whatever becomes of this question.
  const met = meetingsOf(standing, revision, before ?? (await look().catch(() => new Map())));
  const meetings = met.filter(({ trade, meets }) => meets !== "nothing" || !withdrawn.has(placeText(trade)));
  return {
    segments: segments.length,
    ...(sink.wasStored !== undefined && { unchanged: stored.length }),
    withdrawn: trades.length - standing.length,
    ...(meetings.length > 0 && { meetings, hidden: hiddenAmong(meetings, stored) }),
  };
}

/** How many trades of a batch readers do not see, for what they met, and were not stored before. */
function hiddenAmong(meetings: readonly Meeting[], stored: readonly Trade[]): number {
  const known = new Set<Place>(stored);
  const isHidden = ({ meets }: Meeting) => meets === "another" || meets === "newer";
  return meetings.filter((meeting) => isHidden(meeting) && !known.has(meeting.trade)).length;
}
