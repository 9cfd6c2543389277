import { type Bucket, capacityMs, type FullAgainAt, fullAgainMs, tokensLeft } from "./token-bucket.ts";

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

/**
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): for each bucket its tokens when full (`q`), and the
 * seconds in which it fills up from empty (`w`).
 */
export const policyHeader = (buckets: readonly Bucket[]): Record<string, string> => ({
  "RateLimit-Policy": buckets
    .map((bucket) => `"${bucket.name}";q=${bucket.burst};w=${seconds(capacityMs(bucket))}`)
    .join(", "),
});

/**
 * `RateLimit-Policy`, and `RateLimit` (the same draft): for each bucket the whole tokens left (`r`), and the seconds
 * until it is full again (`t`). An owner that is blocked for another `blockedMs` has no token left until then.
 */
export const rateLimitHeaders = (
  buckets: readonly Bucket[],
  fullAgainAt: FullAgainAt,
  now: number,
  blockedMs = 0,
): Record<string, string> => ({
  ...policyHeader(buckets),
  RateLimit: buckets
    .map((bucket) => {
      const left = blockedMs > 0 ? 0 : tokensLeft(bucket, fullAgainAt, now);
      const againMs = Math.max(blockedMs, fullAgainMs(bucket, fullAgainAt, now));
      return `"${bucket.name}";r=${left};t=${seconds(againMs)}`;
    })
    .join(", "),
});
