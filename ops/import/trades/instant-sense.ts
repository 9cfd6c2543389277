import type { Trade } from "../../../lib/trades/trade.ts";

const DAY_MS = 86_400_000;
/** A trade may be kept from readers for a while; what is to be shown in more than a year is in another unit. */
const PUBLICATION_AHEAD_MAX_MS = 366 * DAY_MS;
/** Nothing that has a market here was traded before that. */
const EARLIEST_MS = Date.UTC(2009, 0, 1);

const UNITS = [
  ["microseconds", 1_000],
  ["nanoseconds", 1_000_000],
] as const;

/** What is meant by an instant that lies far ahead, where a unit makes it one of these years. */
function unitHint(instant: number, now: number): string {
  const [unit] =
    UNITS.find(([, perMs]) => instant / perMs >= EARLIEST_MS && instant / perMs <= now + DAY_MS) ?? [];
  const found = unit === undefined ? "" : `, and these look like ${unit}`;
  return `epoch milliseconds are meant${found}`;
}

/** What is wrong with when a trade was made or is shown, by a clock (epoch ms); a trade of the future does not exist. */
export function instantViolation({ tradedAt, publishedAt }: Trade, now: number): string | undefined {
  if (tradedAt > now + DAY_MS)
    return `tdt must not lie more than a day ahead of the clock: ${unitHint(tradedAt, now)}`;
  if (publishedAt > now + PUBLICATION_AHEAD_MAX_MS)
    return `pdt must not lie more than a year ahead of the clock: ${unitHint(publishedAt, now)}`;
  return undefined;
}

/** Whether a trade lies so far back that its instants may well be in seconds. 0 is a legal instant all the same. */
export const isAncient = ({ tradedAt, publishedAt }: Trade): boolean =>
  Math.min(tradedAt, publishedAt) < EARLIEST_MS;
