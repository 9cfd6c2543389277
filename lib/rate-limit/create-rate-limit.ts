import type { Clock } from "../clock.ts";
import { createLimitClient } from "../dynamo/client.ts";
import { RateLimit } from "./rate-limit.ts";
import { RateLimitStore } from "./rate-limit-store.ts";
import { outageReport } from "./report-outage.ts";
import type { LimitDescription } from "./settings.ts";
import type { BucketDescription } from "./token-bucket.ts";

/**
 * The limiter of a function, with a client of its own, for the limit in the endpoint's contract.
 *
 * @throws {RangeError} as `RateLimit` does.
 */
export const createRateLimit = (
  { name, costMax }: LimitDescription,
  buckets: readonly BucketDescription[],
  tableName: string,
  clock: Clock,
): RateLimit =>
  new RateLimit({
    name,
    costMax,
    buckets,
    store: new RateLimitStore({ client: createLimitClient(), name: tableName }),
    clock,
    random: Math.random,
    reportOutage: outageReport(name, clock),
  });
