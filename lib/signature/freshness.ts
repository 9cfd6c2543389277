import * as z from "zod/mini";

/** How far a request's timestamp may lie from the server's time. Both edges are accepted. */
export interface FreshnessLimits {
  readonly ageMsMax: number;
  readonly aheadMsMax: number;
}

/** The limits where a stage says nothing else: 30 s back, 5 s ahead. */
export const defaultFreshness: FreshnessLimits = { ageMsMax: 30_000, aheadMsMax: 5_000 };

const milliseconds = (byDefault: number) =>
  z.pipe(
    z._default(
      z.string().check(z.regex(/^[1-9]\d{0,6}$/, "must be whole milliseconds, 1 to 9999999")),
      String(byDefault),
    ),
    z.transform(Number),
  );

/** The limits as environment variables. */
export const freshnessEnv = {
  SIGNATURE_AGE_MS_MAX: milliseconds(defaultFreshness.ageMsMax),
  SIGNATURE_AHEAD_MS_MAX: milliseconds(defaultFreshness.aheadMsMax),
} as const;

/** The limits that a set of environment variables spells. */
export const freshnessOf = (env: z.infer<z.ZodMiniObject<typeof freshnessEnv>>): FreshnessLimits => ({
  ageMsMax: env.SIGNATURE_AGE_MS_MAX,
  aheadMsMax: env.SIGNATURE_AHEAD_MS_MAX,
});

/** Where a timestamp stands. `differenceMs` is its distance behind the server's time; ahead of it, it is negative. */
export type Freshness =
  | { readonly verdict: "malformed" }
  | { readonly verdict: "fresh" | "stale" | "ahead"; readonly differenceMs: number };

/** Epoch milliseconds of any instant from 2001 to 2286, in one spelling. Seconds are not guessed at: they are malformed. */
const TIMESTAMP = /^[1-9]\d{12}$/;

/** Judges a timestamp as it stands in its header, against the server's time in epoch milliseconds. */
export function judgeFreshness(timestamp: string, now: number, limits: FreshnessLimits): Freshness {
  if (!TIMESTAMP.test(timestamp)) return { verdict: "malformed" };
  const differenceMs = now - Number(timestamp);
  if (differenceMs > limits.ageMsMax) return { verdict: "stale", differenceMs };
  if (-differenceMs > limits.aheadMsMax) return { verdict: "ahead", differenceMs };
  return { verdict: "fresh", differenceMs };
}

/** What a caller is told about a timestamp that is not fresh: the server's time, the difference, and the limit. */
export function explainFreshness(
  header: string,
  freshness: Freshness,
  now: number,
  limits: FreshnessLimits,
): string {
  if (freshness.verdict === "malformed")
    return `${header}: must be the current time in epoch milliseconds, 13 digits. The server's time is ${now}.`;
  const [side, distanceMs, limitMs] =
    freshness.verdict === "ahead"
      ? ["ahead of", -freshness.differenceMs, limits.aheadMsMax]
      : ["behind", freshness.differenceMs, limits.ageMsMax];
  return `${header}: is ${distanceMs} ms ${side} the server's time, ${now}; at most ${limitMs} ms is accepted.`;
}
