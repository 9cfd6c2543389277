import { writeMessage } from "../../lib/ingest/write-message.ts";
import { BUCKET_MS } from "../../lib/trades/segment.ts";
import { comparePlaces, type Trade } from "../../lib/trades/trade.ts";
import { randomOf, trade } from "../../test/support/trades.ts";

export const DAY_MS = 86_400_000;
/** A day in the middle of a bucket, so old that no read has to be strongly consistent. */
export const DAY_START_MS = 640 * BUCKET_MS + 10 * DAY_MS;
/** The trades of a whole day. */
export const DAY_TRADES = 1_000_000;

/** Trades of a market from the beginning of a day on, {@link DAY_TRADES} a day at random moments, in ascending order. */
export function dayOfTrades(count: number): Trade[] {
  const random = randomOf(count);
  const spanMs = (count / DAY_TRADES) * DAY_MS;
  const instants = Float64Array.from({ length: count }, () => Math.floor(random() * spanMs)).sort();
  let cents = 6_500_000;
  const trades = Array.from(instants, (afterMs, n) => {
    cents += Math.round((random() - 0.5) * 60);
    const quantity = (random() < 0.3 ? Math.ceil(random() * 100) / 100 : random() / 2).toFixed(8);
    return trade(n, DAY_START_MS + afterMs, { price: (cents / 100).toFixed(2), quantity });
  });
  return trades.sort(comparePlaces);
}

/** A message of a queue. */
export interface SentMessage {
  readonly messageId: string;
  readonly body: string;
}

/** Messages of trades as a producer sends them: in order of time, so many trades each. */
export function* messagesOf(symbol: string, trades: readonly Trade[], each: number): Generator<SentMessage> {
  for (let at = 0; at < trades.length; at += each) {
    const records = trades
      .slice(at, at + each)
      .map(({ tradedAt, price, quantity, id, side }) =>
        JSON.stringify({ tdt: tradedAt, p: price, q: quantity, tid: id, s: side }),
      );
    yield { messageId: `message-${at}`, body: writeMessage({ kind: "trade", owner: symbol }, records) };
  }
}

/**
 * Batches as a queue delivers messages: in order, so many at a time. One message in so many comes once more, some
 * batches later, with others than before.
 */
export function* deliveriesOf(
  messages: readonly SentMessage[],
  {
    batch,
    againOneIn,
    againAfter,
  }: { readonly batch: number; readonly againOneIn: number; readonly againAfter: number },
): Generator<SentMessage[], undefined> {
  const again: SentMessage[][] = [];
  for (let at = 0, n = 0; at < messages.length || again.length > n; n += 1) {
    const returned = again[n] ?? [];
    const fresh = messages.slice(at, at + Math.max(0, batch - returned.length));
    at += fresh.length;
    const later = fresh.filter((_, index) => (at - index) % againOneIn === 0);
    if (later.length > 0) again[n + againAfter] = later;
    const delivered = [...fresh, ...returned];
    if (delivered.length > 0) yield delivered;
  }
}
