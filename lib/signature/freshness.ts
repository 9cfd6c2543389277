import type { FreshnessLimits } from "./settings.ts";

/** The verdict on a timestamp. `differenceMs` is its distance behind the server's time, negative when it is ahead. */
export type Freshness =
  | { readonly verdict: "malformed" }
  | { readonly verdict: "fresh" | "stale" | "ahead"; readonly differenceMs: number };

/** Epoch milliseconds of any instant from 2001 to 2286, in one spelling. Seconds are malformed: no unit is guessed. */
const TIMESTAMP = /^[1-9]\d{12}$/;

/** Judges a timestamp as it stands in its header, against the server's time in epoch milliseconds. */
export function judgeFreshness(timestamp: string, now: number, limits: FreshnessLimits): Freshness {
  if (!TIMESTAMP.test(timestamp)) return { verdict: "malformed" };
  const differenceMs = now - Number(timestamp);
  if (differenceMs > limits.ageMsMax) return { verdict: "stale", differenceMs };
  if (-differenceMs > limits.aheadMsMax) return { verdict: "ahead", differenceMs };
  return { verdict: "fresh", differenceMs };
}

/** The message for a timestamp that is not fresh: the server's time, the difference, and the limit. */
export function explainFreshness(
  header: string,
  freshness: Freshness,
  now: number,
  limits: FreshnessLimits,
): string {
  if (freshness.verdict === "malformed")
    return `${header}: must be the current time in epoch milliseconds, 13 digits. The server's time is ${now}.`;
  // Clients of exchange interfaces look for the words "timestamp is in the future".
  const [said, distanceMs, side, limitMs] =
    freshness.verdict === "ahead"
      ? ["the timestamp is in the future:", -freshness.differenceMs, "ahead of", limits.aheadMsMax]
      : ["is", freshness.differenceMs, "behind", limits.ageMsMax];
  return `${header}: ${said} ${distanceMs} ms ${side} the server's time, ${now}; at most ${limitMs} ms is accepted.`;
}
