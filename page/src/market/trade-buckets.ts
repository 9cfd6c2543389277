import type { Trade } from "../../../client/src/contract.ts";
import { type Decimal, decimalOf } from "../../../lib/trades/decimal.ts";
import { isGreater, sumOf, ZERO } from "./exact.ts";
import { fitted, spanOf, type View } from "./view.ts";

/** What the chart and its table need of a trade. */
export interface TradePoint {
  readonly id: string;
  /** Unix epoch milliseconds. */
  readonly atMs: number;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** The trades of a stretch of time, of which there is one at least. */
export interface Bucket {
  /** The first instant, Unix epoch milliseconds: a multiple of the bucket's width. */
  readonly startMs: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  /** The exact sum of the quantities. */
  readonly volume: Decimal;
  readonly trades: number;
}

/** Reads a trade as the endpoint sends it. */
export const pointOf = ({ tid, tdt, p, q }: Trade): TradePoint => ({
  id: tid,
  atMs: tdt,
  price: decimalOf(p),
  quantity: decimalOf(q),
});

/**
 * The buckets that a view touches, oldest first, of `points` newest first. A bucket at the view's edge counts its trades
 * outside of the view too, so that its numbers stay the same while the view moves.
 */
export function bucketsOf(points: readonly TradePoint[], view: View, widthMs: number): readonly Bucket[] {
  const { fromMs, toMs } = wholeBuckets(view, widthMs);
  const buckets = new Map<number, Bucket>();
  for (const point of points) {
    if (point.atMs < fromMs || point.atMs > toMs) continue;
    const startMs = startOf(point.atMs, widthMs);
    buckets.set(startMs, withEarlier(buckets.get(startMs) ?? emptyBucket(startMs, point), point));
  }
  return [...buckets.values()].toReversed();
}

/** The part of what was asked for that has trades, or all of it where they fill half of it. */
export function tradedPart(points: readonly TradePoint[], asked: View): View {
  const traded = { fromMs: points.at(-1)?.atMs ?? asked.fromMs, toMs: points[0]?.atMs ?? asked.toMs };
  return spanOf(traded) * 2 < spanOf(asked) ? fitted(traded, asked) : asked;
}

/** A view that is widened to whole buckets: from the first instant of one to the last instant of another. */
export const wholeBuckets = ({ fromMs, toMs }: View, widthMs: number): View => ({
  fromMs: startOf(fromMs, widthMs),
  toMs: startOf(toMs, widthMs) + widthMs - 1,
});

const startOf = (atMs: number, widthMs: number): number => Math.floor(atMs / widthMs) * widthMs;

const emptyBucket = (startMs: number, { price }: TradePoint): Bucket => ({
  startMs,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: ZERO,
  trades: 0,
});

/** A bucket with one more trade, which is older than those it has. */
const withEarlier = (bucket: Bucket, { price, quantity }: TradePoint): Bucket => ({
  ...bucket,
  open: price,
  high: isGreater(price, bucket.high) ? price : bucket.high,
  low: isGreater(bucket.low, price) ? price : bucket.low,
  volume: sumOf(bucket.volume, quantity),
  trades: bucket.trades + 1,
});
