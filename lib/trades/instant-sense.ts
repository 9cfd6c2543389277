import type { Trade } from "./trade.ts";

const DAY_MS = 86_400_000;
/** A trade may be published with a delay; a publication more than a year ahead is in another unit. */
const PUBLICATION_AHEAD_MAX_MS = 366 * DAY_MS;
/** No asset that has a market here was traded earlier. */
const EARLIEST_MS = Date.UTC(2009, 0, 1);

const UNITS = [
  ["microseconds", 1_000],
  ["nanoseconds", 1_000_000],
] as const;

/** Explains an instant far ahead, and names the finer unit that would put it between 2009 and now, if there is one. */
function unitHint(instant: number, now: number): string {
  const [unit] =
    UNITS.find(([, perMs]) => instant / perMs >= EARLIEST_MS && instant / perMs <= now + DAY_MS) ?? [];
  const found = unit === undefined ? "" : `, and these look like ${unit}`;
  return `epoch milliseconds are meant${found}`;
}

/** Why a trade cannot have been made or published when it says, by a clock (epoch ms); undefined when it can. */
export function instantViolation({ tradedAt, publishedAt }: Trade, now: number): string | undefined {
  if (tradedAt > now + DAY_MS)
    return `tdt must not lie more than a day ahead of the clock: ${unitHint(tradedAt, now)}`;
  if (publishedAt > now + PUBLICATION_AHEAD_MAX_MS)
    return `pdt must not lie more than a year ahead of the clock: ${unitHint(publishedAt, now)}`;
  return undefined;
}

/** Whether a trade is so old that its times may be in seconds. It is not refused, because even 0 is a legal time. */
export const isAncient = ({ tradedAt, publishedAt }: Trade): boolean =>
  Math.min(tradedAt, publishedAt) < EARLIEST_MS;
