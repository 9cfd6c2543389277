import { readItems } from "../../../client/src/budget.ts";
import { costOf } from "../../../client/src/window-plan.ts";

/** A bucket of tokens, as an answer described it. */
export interface Gauge {
  /** The bucket's name in `RateLimit`. */
  readonly name: string;
  /** Tokens when full. */
  readonly burst: number;
  /** Milliseconds in which it fills up from empty. */
  readonly fillMs: number;
  /** Tokens that were left at `atMs`. */
  readonly left: number;
  /** When the answer came, Unix epoch milliseconds. */
  readonly atMs: number;
}

/** The buckets that an answer describes in `RateLimit` and `RateLimit-Policy`; none where it says nothing of them. */
export function gaugesOf(headers: Headers, atMs: number): readonly Gauge[] {
  const policies = readItems(headers.get("RateLimit-Policy"));
  return [...readItems(headers.get("RateLimit"))].flatMap(([name, { r: left }]) => {
    const { q: burst = 0, w: windowS = 0 } = policies.get(name) ?? {};
    if (left === undefined || burst === 0) return [];
    return [{ name, burst, fillMs: windowS * 1_000, left, atMs }];
  });
}

/** Whole tokens of a bucket at an instant, if nobody takes any: an estimate by the policy, until the next answer. */
export function tokensAt({ burst, fillMs, left, atMs }: Gauge, now: number): number {
  const elapsedMs = Math.max(0, now - atMs);
  const refilled = fillMs === 0 ? burst : Math.floor((elapsedMs * burst) / fillMs);
  return Math.min(burst, left + refilled);
}

/** Whether a bucket holds all of its tokens at an instant, so that its gauge does not move any more. */
export const isFullAt = (gauge: Gauge, now: number): boolean => tokensAt(gauge, now) === gauge.burst;

/** The buckets that had too few tokens for a refused request for trades, by their names. */
export function shortBuckets(url: string, headers: Headers): readonly string[] {
  const { searchParams } = new URL(url);
  const instant = (name: string): number => Number(searchParams.get(name));
  const cost = costOf({ startMs: instant("start_date"), endMs: instant("end_date") });
  return gaugesOf(headers, 0).flatMap(({ name, left }) => (left < cost ? [name] : []));
}
