const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Widths that people count time in, the shortest first. */
const WIDTHS: readonly (readonly [number, string])[] = [
  [SECOND_MS, "second"],
  [5 * SECOND_MS, "5 seconds"],
  [15 * SECOND_MS, "15 seconds"],
  [MINUTE_MS, "minute"],
  [5 * MINUTE_MS, "5 minutes"],
  [15 * MINUTE_MS, "15 minutes"],
  [HOUR_MS, "hour"],
  [3 * HOUR_MS, "3 hours"],
  [6 * HOUR_MS, "6 hours"],
  [12 * HOUR_MS, "12 hours"],
  [DAY_MS, "day"],
  [7 * DAY_MS, "7 days"],
];

/** How wide the buckets of a view are. */
export interface BucketWidth {
  readonly widthMs: number;
  /** As in "per hour". */
  readonly name: string;
}

/** The narrowest width by which a view of `spanMs` has `bucketsMax` buckets at most; the widest one if none is enough. */
export function bucketWidth(spanMs: number, bucketsMax: number): BucketWidth {
  // A view that does not begin where a bucket does touches one bucket more.
  const fitting = WIDTHS.find(([widthMs]) => Math.floor(spanMs / widthMs) + 2 <= bucketsMax);
  const [widthMs, name] = fitting ?? WIDTHS.at(-1) ?? [DAY_MS, "day"];
  return { widthMs, name };
}
