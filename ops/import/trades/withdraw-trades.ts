import { putTrades, type SegmentSink, type WrittenTrades } from "../../../lib/trades/put-trades.ts";
import { FIRST_REVISION } from "../../../lib/trades/segment.ts";
import type { Place } from "../../../lib/trades/trade.ts";

/**
 * Withdraws trades that should not exist: readers see nothing in their places, unless a still higher revision reports
 * them again. Their first records stay stored until they are compacted. Those that are withdrawn already are unchanged.
 *
 * @param revision 1 or more, and higher than that of any record of these trades.
 */
export async function withdrawTrades(
  sink: SegmentSink,
  symbol: string,
  places: readonly Place[],
  revision: number,
): Promise<WrittenTrades> {
  if (!Number.isSafeInteger(revision) || revision <= FIRST_REVISION) {
    throw new RangeError("A withdrawal has a revision of 1 or more.");
  }
  const withdrawn = places.map(({ tradedAt, id }) => ({
    tradedAt,
    id,
    publishedAt: tradedAt,
    price: "0",
    quantity: "0",
    withdrawn: true,
  }));
  const given = new Map<Place, Place>(
    withdrawn.map((withdrawal, at) => [withdrawal, places[at] ?? withdrawal]),
  );
  const written = await putTrades(sink, symbol, withdrawn, revision);
  const { segments, unchanged = 0, withdrawn: before, meetings } = written;
  const met = meetings?.map((meeting) => ({ ...meeting, trade: given.get(meeting.trade) ?? meeting.trade }));
  return {
    segments,
    unchanged: unchanged + before,
    withdrawn: 0,
    ...(met !== undefined && { meetings: met }),
  };
}
