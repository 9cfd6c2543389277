import type { BucketSettings } from "../../lib/rate-limit/settings.ts";
import { listTrades, PAGE_TRADES_MAX } from "../../lib/trades/contract.ts";
import { COST_MAX } from "../../lib/trades/date-range.ts";
import { COUNT_MAX, getTransaction } from "../../lib/transactions/contract.ts";
import { inThousands } from "../../local/records/tally.ts";
import { durationText } from "../terminal/time-left.ts";
import { type Question, spanOf } from "./download-files.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The client fills a window to this part, so that a denser day does not cost a page more. */
const FILL = 0.8;
/** Above these, a person at a terminal is asked. */
const ASKED_MINUTES = 10;
const ASKED_RECORDS = 1_000_000;

/** What the rest of a download takes. All of it is a guess, but that it takes no less time for its tokens. */
export interface Estimate {
  readonly records: number;
  readonly calls: number;
  readonly tokens: number;
  /** The time in which so many tokens come back, under the contract's limits. */
  readonly atLeastMs: number;
}

/** What was read of a question. */
export interface Seen {
  readonly records: number;
  /** Everything later was read, in epoch milliseconds. */
  readonly reachedMs: number;
}

/**
 * Guesses the rest of a download from the density of what was read.
 *
 * @returns undefined when nothing is left, or nothing can be guessed: the question has no beginning and no limit.
 */
export function estimateRest(question: Question, { records, reachedMs }: Seen): Estimate | undefined {
  const { fromMs, toMs } = spanOf(question);
  const perDay = (records * DAY_MS) / Math.max(1, toMs - reachedMs);
  const byLimit = (question.limit ?? Number.POSITIVE_INFINITY) - records;
  const bySpan = fromMs === undefined ? Number.POSITIVE_INFINITY : (perDay * (reachedMs - fromMs)) / DAY_MS;
  if (byLimit <= 0 || (fromMs !== undefined && reachedMs <= fromMs)) return undefined;
  const left = Math.min(bySpan, byLimit);
  if (!Number.isFinite(left)) return undefined;
  const days = left === bySpan && fromMs !== undefined ? (reachedMs - fromMs) / DAY_MS : left / perDay;
  const { calls, tokens } = costOf(question, { records: left, days, perDay });
  const { limit } = question.get === "trades" ? listTrades : getTransaction;
  return { records: Math.ceil(left), calls, tokens, atLeastMs: refillMs(tokens, limit.defaultBuckets) };
}

interface Rest {
  readonly records: number;
  readonly days: number;
  readonly perDay: number;
}

function costOf(question: Question, { records, days, perDay }: Rest): Pick<Estimate, "calls" | "tokens"> {
  if (question.get === "transactions") {
    const calls = Math.ceil(records / COUNT_MAX);
    return { calls, tokens: calls };
  }
  // Each page of trades costs a token for each day of its window.
  const windowDays = Math.min(
    COST_MAX,
    Math.max(1, Math.floor((FILL * PAGE_TRADES_MAX) / Math.max(1, perDay))),
  );
  const calls = Math.ceil(Math.max(records / PAGE_TRADES_MAX, days / windowDays));
  return { calls, tokens: Math.max(calls, Math.ceil(days)) };
}

/** The time that passes, with full buckets at first, until so many tokens were there. */
const refillMs = (tokens: number, buckets: readonly Readonly<BucketSettings>[]): number =>
  Math.max(
    ...buckets.map(({ burst, refillTokens, refillWindowMs }) =>
      tokens <= burst ? 0 : ((tokens - burst) * refillWindowMs) / refillTokens,
    ),
  );

/** Whether a download is so long that a person is asked first. */
export const isLong = ({ records, atLeastMs }: Estimate): boolean =>
  records >= ASKED_RECORDS || atLeastMs >= ASKED_MINUTES * MINUTE_MS;

/** An estimate in words: what is known of the question, and what is guessed. */
export function estimateText(question: Question, estimate: Estimate | undefined): string {
  const known = `Known: ${spanText(question)}.`;
  if (estimate === undefined)
    return `${known}\nHow many they are is not known: give --from to have an estimate.`;
  const { records, calls, tokens, atLeastMs } = estimate;
  const cost = `${counted(calls, "call")} and ${counted(tokens, "token")}`;
  const time =
    atLeastMs === 0 ? "" : `;\n${durationText(atLeastMs)} at least until so many tokens have come back`;
  return `${known}\nGuess: about ${inThousands(records)} more ${question.get}, ${cost}${time}.`;
}

const counted = (count: number, thing: string): string =>
  `${inThousands(count)} ${thing}${count === 1 ? "" : "s"}`;

function spanText(question: Question): string {
  const { fromMs, toMs } = spanOf(question);
  const to = question.to.slice(0, "yyyy-mm-ddThh:mm".length);
  if (fromMs === undefined) return `everything up to ${to}`;
  const days = Math.ceil((toMs - fromMs) / DAY_MS);
  const cost = question.get === "trades" ? `, ${counted(Math.max(1, days), "token")} at least` : "";
  return `${counted(days, "day")} up to ${to}${question.limit === undefined ? cost : ""}`;
}
