import { RateLimit, type RateLimitParts } from "../../lib/rate-limit/rate-limit.ts";
import { NOW } from "./chain.ts";
import { LimitTable } from "./limit-table.ts";

/** The exchange's budgets (contract: exchange and ramp, limits A). */
export const exchangeBuckets = [
  { name: "second", burst: 100, refillTokens: 100, refillWindowMs: 1_000 },
  { name: "minute", burst: 1_000, refillTokens: 1_000, refillWindowMs: 60_000 },
];

/** A clock that tests move. */
export interface HandClock {
  now: number;
}

/** A limiter of the exchange on a table in memory, on a clock that stands still, with no spread. */
export function limitOn(
  table: LimitTable = new LimitTable(),
  clock: HandClock = { now: NOW },
  parts: Partial<RateLimitParts> = {},
): RateLimit {
  return new RateLimit({
    name: "exchange",
    buckets: exchangeBuckets,
    costMax: 30,
    store: table,
    clock: () => clock.now,
    random: () => 0.5,
    reportOutage: () => {},
    ...parts,
  });
}
