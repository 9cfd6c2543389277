import type { BucketDescription } from "../../lib/rate-limit/token-bucket.ts";

/** The update of a write to the limits' table: its expression, and the values in it. */
export interface ChargeUpdate {
  readonly expression: string;
  readonly values: Readonly<Record<string, { readonly N?: string } | undefined>>;
}

/**
 * The tokens that a write of `RateLimitStore` charges if its condition holds: what its expression says, read back. The
 * local service reads the writes of its functions with it, to say what a request has cost.
 *
 * @param bucket the first bucket of the limit.
 * @returns undefined for a write of another form.
 */
export function chargedTokens(
  { expression, values }: ChargeUpdate,
  { refillTokens, refillWindowMs }: BucketDescription,
): number | undefined {
  const charge = /#t0 = (#t0 \+ )?:c0(?:,|$)/.exec(expression);
  if (charge === null) return undefined;
  const written = Number(values[":c0"]?.N);
  // A busy bucket is moved on by the cost, a full one to the cost from now.
  const costMs = charge[1] === undefined ? written - Number(values[":now"]?.N) : written;
  const tokens = (costMs * refillTokens) / refillWindowMs;
  return Number.isSafeInteger(tokens) ? tokens : undefined;
}
