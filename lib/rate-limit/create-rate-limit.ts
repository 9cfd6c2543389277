import type { Clock } from "../clock.ts";
import { createLimitClient } from "../dynamo/client.ts";
import { RateLimit } from "./rate-limit.ts";
import { RateLimitStore } from "./rate-limit-store.ts";
import { outageReport } from "./report-outage.ts";
import type { BucketDescription } from "./token-bucket.ts";

export interface RateLimitOptions {
  /** What the endpoint's contract says of its limit. */
  readonly limit: { readonly name: string; readonly costMax: number };
  readonly buckets: readonly BucketDescription[];
  readonly tableName: string;
  readonly clock: Clock;
}

/** The limiter of a function, on a client of its own. @throws {RangeError} as `RateLimit` does. */
export const createRateLimit = ({ limit, buckets, tableName, clock }: RateLimitOptions): RateLimit =>
  new RateLimit({
    name: limit.name,
    costMax: limit.costMax,
    buckets,
    store: new RateLimitStore(createLimitClient(), tableName),
    clock,
    random: Math.random,
    reportOutage: outageReport(limit.name, clock),
  });
