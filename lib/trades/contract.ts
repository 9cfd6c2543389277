import * as z from "zod/mini";
import { brandEnv } from "../brand.ts";
import { sharedEnv, tableEnv } from "../env.ts";
import type { EndpointContract } from "../http/contract.ts";
import { wholeNumber } from "../parameter-schemas.ts";
import { rateLimitEnv } from "../rate-limit/settings.ts";
import { freshnessEnv } from "../signature/settings.ts";
import { COST_MAX } from "./date-range.ts";

/** The most trades on a page, and the number on a page unless the query says another. */
export const PAGE_TRADES_MAX = 1_900;

/** Units that clients send in place of milliseconds, by the number of digits from 2001 to 2286. */
const OTHER_UNITS = [
  ["seconds", /^\d{10}$/],
  ["microseconds", /^\d{16}$/],
  ["nanoseconds", /^\d{19}$/],
] as const;

/** An instant in another unit would pass as one long ago or far ahead, and its list would be empty. */
const inMilliseconds = OTHER_UNITS.map(([unit, digits]) =>
  z.refine<string>((text) => !digits.test(text), {
    error: `looks like ${unit}; epoch milliseconds are meant`,
    abort: true,
  }),
);

/** The last instant that can be asked for: longer numbers count another unit. */
const ASKED_MAX_MS = 999_999_999_999_999;

const instant = z.optional(z.pipe(z.string().check(...inMilliseconds), wholeNumber(0, ASKED_MAX_MS)));

/** The exchange's contract: 100 tokens a second and 1,000 a minute. A request costs one for each day of its window. */
const limit = {
  name: "trades",
  costMax: COST_MAX,
  defaultBuckets: [
    { name: "second", burst: 100, refillTokens: 100, refillWindowMs: 1_000 },
    { name: "minute", burst: 1_000, refillTokens: 1_000, refillWindowMs: 60_000 },
  ],
} as const;

/**
 * `GET /1.0/trades/all/{symbol}` (contract: exchange and ramp, endpoint A). A symbol of any shape is looked up; a
 * symbol without a market is `unknown_symbol`.
 */
export const listTrades = {
  name: "list-trades",
  method: "GET",
  route: "/1.0/trades/all/{symbol}",
  scheme: "Signature",
  scope: "trades.read",
  path: z.object({ symbol: z._default(z.string(), "") }),
  query: z.object({
    start_date: instant,
    end_date: instant,
    cursor: z.optional(z.string()),
    limit: z._default(wholeNumber(1, PAGE_TRADES_MAX), PAGE_TRADES_MAX),
  }),
  repeatable: [],
  refusesUnknown: true,
  limit,
  retryAfterUnit: "milliseconds",
  cacheControl: "no-store",
  env: z.object({
    HEADER_PREFIX: brandEnv.HEADER_PREFIX,
    VENUE_CODE: brandEnv.VENUE_CODE,
    BASE_PATH: brandEnv.BASE_PATH,
    ...freshnessEnv,
    ...sharedEnv,
    ...tableEnv("TRADES_TABLE"),
    ...rateLimitEnv(limit),
  }),
} as const satisfies EndpointContract;
