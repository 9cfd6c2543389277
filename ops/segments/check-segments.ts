import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { keyText } from "../../lib/trades/read-segment.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { defineCommand, type Shown } from "../command.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { dayText, instantText } from "../terminal/write-table.ts";
import { readMarket, requireMarketTrades, spanOf, spanTakes } from "./read-market.ts";
import { isWorthCompacting, lastPlaceIn, type ReadCost, type Survey, survey } from "./survey.ts";

const DAYS_SHOWN = 10;

const costShape = {
  /** Trades in the segments, withdrawn ones included. */
  trades: z.number(),
  /** Read units that 1,000 of them take. */
  readUnits: z.number(),
  readUnitsCompacted: z.number(),
  isWorthCompacting: z.boolean(),
};

const shape = z.object({
  market: z.string(),
  segments: z.number(),
  damaged: z.array(z.object({ key: z.string(), lastTradeAt: z.optional(jsonTime) })),
  ...costShape,
  worstDays: z.array(z.object({ day: z.string(), ...costShape })),
});

const COST_EXAMPLE = {
  trades: 1_000_000,
  readUnits: 7.31,
  readUnitsCompacted: 2.94,
  isWorthCompacting: true,
};

const EXAMPLE = {
  market: "BTC-USD",
  segments: 3,
  damaged: [
    {
      key: "BTC-USD#649/000001a20f4a0c5c00000000000000000000000000000007d2b1c04e",
      lastTradeAt: "2026-11-24T21:00:00.000Z",
    },
  ],
  ...COST_EXAMPLE,
  worstDays: [{ day: "2026-11-24", ...COST_EXAMPLE }],
};

const rounded = (units: number): number => Math.round(units * 100) / 100;

const costJson = (cost: ReadCost) => ({
  trades: cost.trades,
  readUnits: rounded(cost.now),
  readUnitsCompacted: rounded(cost.compacted),
  isWorthCompacting: isWorthCompacting(cost),
});

/** The days on which a compaction pays, the dearest first. */
const worstDays = ({ days }: Survey): readonly (readonly [day: number, cost: ReadCost])[] =>
  [...days]
    .filter(([, cost]) => isWorthCompacting(cost))
    .sort(([, a], [, b]) => b.ratio - a.ratio)
    .slice(0, DAYS_SHOWN);

/** When a segment's last trade was made, as far as its key says. */
const lastTradeAt = (segment: StoredSegment): string | undefined => {
  const last = lastPlaceIn(segment);
  return last && instantText(last.tradedAt);
};

const jsonOf = (market: string, found: Survey) => ({
  market,
  segments: found.segmentCount,
  damaged: found.damaged.map((segment) => {
    const at = lastTradeAt(segment);
    return { key: keyText(segment), ...(at !== undefined && { lastTradeAt: at }) };
  }),
  ...costJson(found.cost),
  worstDays: worstDays(found).map(([day, cost]) => ({ day: dayText(day), ...costJson(cost) })),
});

/** What the listings of a market cost. */
function costShown(symbol: string, found: Survey): Shown[] {
  const { trades, now, compacted } = found.cost;
  if (trades === 0) return [];
  const days = worstDays(found);
  const advice = isWorthCompacting(found.cost)
    ? `\`segments compact ${symbol}\` pays.`
    : days.length > 0
      ? "A compaction of the days below pays (--from, --to)."
      : "A compaction does not pay.";
  const units = `1,000 trades take ${now.toFixed(1)} read units, and would take ${compacted.toFixed(1)} after a compaction.`;
  const rows = days.map(([day, cost]) => [
    dayText(day),
    inThousands(cost.trades),
    cost.now.toFixed(1),
    cost.compacted.toFixed(1),
  ]);
  const table = { head: ["DAY", "TRADES", "UNITS NOW", "COMPACTED"], rows };
  return [`${units}\n${advice}`, ...(rows.length > 0 ? [table] : [])];
}

/** `segments check`: finds the damaged segments of a market, and what its listings cost. */
export const checkSegments = defineCommand({
  words: "segments check",
  summary: "find a market's damaged segments, and tell what its listings cost",
  about: `
Trades are stored in segments of at most two seconds. A damaged segment cannot
be read: requests for its two seconds are answered 500, and the function's log
names the segment's key. This command lists a market's damaged segments;
\`segments take-out\` takes one out.

It also tells how many read units 1,000 trades of a listing take, now and after
a compaction: trades that a queue delivered again, or a few at a time, are
stored in more segments than they need. \`segments compact\` pays where they
take more than 1.5 times as many; the days on which they do are listed, the
worst first.

The whole table of trades is read, or with --from only that time.`,
  examples: ["ops segments check BTC-USD", "ops segments check BTC-USD --from 7d"],
  exits: { 0: "all segments can be read", 1: "some are damaged", 2: "the market could not be checked" },
  on: "store",
  takes: { "<market>": "the market, such as BTC-USD", ...spanTakes },
  json: { shape, example: EXAMPLE },
  async run({ market, ...given }, { store }) {
    const register = await requireMarketTrades(await store(), market);
    const found = await survey(market, readMarket(register, market, spanOf(given)), systemClock());
    const { damaged, segmentCount } = found;
    const rows = damaged.map((segment) => [keyText(segment), lastTradeAt(segment) ?? "unknown"]);
    return {
      json: jsonOf(market, found),
      text: [
        `${market}: ${inThousands(segmentCount)} segments, ${inThousands(damaged.length)} of them damaged.`,
        ...(rows.length > 0 ? [{ head: ["KEY", "LAST TRADE"], rows }] : []),
        ...costShown(market, found),
      ],
      exitCode: damaged.length > 0 ? exitCodes.someRefused : exitCodes.done,
    };
  },
});
