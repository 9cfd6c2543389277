import type { Clock } from "../../../lib/clock.ts";
import type { Limiter } from "../../../lib/http/limit.ts";
import { policyHeader, rateLimitHeaders } from "../../../lib/rate-limit/rate-limit-headers.ts";
import { bucketsOf, fullAgainMs, waitMs } from "../../../lib/rate-limit/token-bucket.ts";

/** Above what a normal check sends, below what `--burst` sends. */
const buckets = bucketsOf([{ name: "demo", burst: 300, refillTokens: 100, refillWindowMs: 1_000 }], 1);

/** A limit that one process keeps, for all callers together. */
export function memoryLimiter(clock: Clock): Limiter {
  let fullAgainAt: Readonly<Record<string, number>> = {};
  return {
    charge: async (_, cost) => {
      const now = clock();
      const wait = waitMs(buckets, fullAgainAt, now, cost);
      if (wait === 0)
        fullAgainAt = Object.fromEntries(
          buckets.map((bucket) => [
            bucket.name,
            now + fullAgainMs(bucket, fullAgainAt, now) + cost * bucket.tokenMs,
          ]),
        );
      return { waitMs: wait, headers: rateLimitHeaders(buckets, fullAgainAt, now, wait) };
    },
    headersOf: () => policyHeader(buckets),
  };
}
