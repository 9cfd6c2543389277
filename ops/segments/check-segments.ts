import type { Command } from "commander";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { keyText } from "../../lib/trades/read-segment.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption, jsonTime, printJson } from "../terminal/json-output.ts";
import { instantText, printTable } from "../terminal/write-table.ts";
import { addSpanOptions, readMarket, requireMarketTrades, type SpanOptions, spanOf } from "./read-market.ts";
import { isWorthCompacting, lastPlaceIn, type ReadCost, type Survey, survey } from "./survey.ts";

const DAYS_SHOWN = 10;

const HELP = `
Trades are stored in segments of at most two seconds. A damaged segment cannot
be read: requests for its two seconds are answered 500, and the function's log
names the segment's key. This command lists a market's damaged segments;
\`segments take-out\` takes one out.

It also tells how many read units 1,000 trades of a listing take, now and after
a compaction: trades that a queue delivered again, or a few at a time, are
stored in more segments than they need. \`segments compact\` pays where they
take more than 1.5 times as many; the days on which they do are listed, the
worst first.

The whole table of trades is read, or with --from only that time.

Examples:
  ${commands.ops} segments check BTC-USD
  ${commands.ops} segments check BTC-USD --from 7d

Exit codes: 0 all segments can be read, 1 some are damaged,
2 the market could not be checked.`;

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

const EXAMPLE = {
  market: "BTC-USD",
  segments: 3,
  damaged: [
    {
      key: "BTC-USD#649/000001a20f4a0c5c00000000000000000000000000000007d2b1c04e",
      lastTradeAt: "2026-11-24T21:00:00.000Z",
    },
  ],
  trades: 1_000_000,
  readUnits: 7.31,
  readUnitsCompacted: 2.94,
  isWorthCompacting: true,
  worstDays: [
    {
      day: "2026-11-24",
      trades: 1_000_000,
      readUnits: 7.31,
      readUnitsCompacted: 2.94,
      isWorthCompacting: true,
    },
  ],
};

interface Options extends StoreOptions, SpanOptions {
  readonly json?: true;
}

const rounded = (units: number): number => Math.round(units * 100) / 100;

const costJson = (cost: ReadCost) => ({
  trades: cost.trades,
  readUnits: rounded(cost.now),
  readUnitsCompacted: rounded(cost.compacted),
  isWorthCompacting: isWorthCompacting(cost),
});

const dayText = (day: number): string => instantText(day).slice(0, 10);

/** The days on which a compaction pays, the dearest first. */
const worstDays = ({ days }: Survey): readonly (readonly [day: number, cost: ReadCost])[] =>
  [...days]
    .filter(([, cost]) => isWorthCompacting(cost))
    .sort(([, a], [, b]) => b.ratio - a.ratio)
    .slice(0, DAYS_SHOWN);

function printedJson(symbol: string, found: Survey): void {
  printJson(shape, {
    market: symbol,
    segments: found.segmentCount,
    damaged: found.damaged.map((segment) => {
      const last = lastPlaceIn(segment);
      return {
        key: keyText(segment),
        ...(last !== undefined && { lastTradeAt: instantText(last.tradedAt) }),
      };
    }),
    ...costJson(found.cost),
    worstDays: worstDays(found).map(([day, cost]) => ({ day: dayText(day), ...costJson(cost) })),
  });
}

function printDamaged(damaged: readonly StoredSegment[]): void {
  const rows = damaged.map((segment) => {
    const last = lastPlaceIn(segment);
    return [keyText(segment), last === undefined ? "unknown" : instantText(last.tradedAt)];
  });
  printTable({ head: ["KEY", "LAST TRADE"], rows });
}

function printCost(symbol: string, found: Survey): void {
  const { trades, now, compacted } = found.cost;
  if (trades === 0) return;
  const days = worstDays(found);
  const advice = isWorthCompacting(found.cost)
    ? `\`segments compact ${symbol}\` pays.`
    : days.length > 0
      ? "A compaction of the days below pays (--from, --to)."
      : "A compaction does not pay.";
  console.log(
    `1,000 trades take ${now.toFixed(1)} read units, and would take ${compacted.toFixed(1)} after a compaction.\n${advice}`,
  );
  if (days.length === 0) return;
  const rows = days.map(([day, cost]) => [
    dayText(day),
    inThousands(cost.trades),
    cost.now.toFixed(1),
    cost.compacted.toFixed(1),
  ]);
  printTable({ head: ["DAY", "TRADES", "UNITS NOW", "COMPACTED"], rows });
}

async function check(symbol: string, options: Options): Promise<void> {
  const found = await withExistingStore(options, async (store) => {
    const register = await requireMarketTrades(store, symbol);
    return await survey(symbol, readMarket(register, symbol, spanOf(options)), systemClock());
  });
  if (found.damaged.length > 0) process.exitCode = exitCodes.someRefused;
  if (options.json) return printedJson(symbol, found);
  console.log(
    `${symbol}: ${inThousands(found.segmentCount)} segments, ${inThousands(found.damaged.length)} of them damaged.`,
  );
  if (found.damaged.length > 0) printDamaged(found.damaged);
  printCost(symbol, found);
}

/** `segments check`: finds the damaged segments of a market, and what its listings cost. */
export function checkSegments(group: Command): void {
  const command = group
    .command("check")
    .description("find a market's damaged segments, and tell what its listings cost")
    .argument("<market>", "the market, such as BTC-USD");
  addJsonOption(addStoreOptions(addSpanOptions(command)), shape, EXAMPLE)
    .addHelpText("after", HELP)
    .action(check);
}
