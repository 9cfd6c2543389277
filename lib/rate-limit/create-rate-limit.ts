import type { Clock } from "../clock.ts";
import { createLimitClient } from "../dynamo/client.ts";
import type { Log } from "../log.ts";
import { RateLimit } from "./rate-limit.ts";
import { RateLimitStore } from "./rate-limit-store.ts";
import { outageReport } from "./report-outage.ts";
import type { LimitDescription } from "./settings.ts";
import type { BucketDescription } from "./token-bucket.ts";

/** What a limit needs of its function: the table that it counts in, the clock, and the log that tells its outages. */
interface LimitSurroundings {
  readonly tableName: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The limiter of a function, with a client of its own, for the limit in the endpoint's contract.
 *
 * @throws {RangeError} as `RateLimit` does.
 */
export const createRateLimit = (
  { name, costMax }: LimitDescription,
  buckets: readonly BucketDescription[],
  { tableName, clock, log }: LimitSurroundings,
): RateLimit =>
  new RateLimit({
    name,
    costMax,
    buckets,
    store: new RateLimitStore({ client: createLimitClient(), name: tableName }),
    clock,
    random: Math.random,
    reportOutage: outageReport(name, { clock, log }),
  });
