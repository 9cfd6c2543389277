import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import type { TradeRegister } from "../../lib/trades/trade-register.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { audited } from "../audit/record-change.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { confirmed, yesOption } from "../terminal/ask.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { type Compacted, rehearse } from "./compact.ts";
import { addSpanOptions, readMarket, requireMarketTrades, type SpanOptions, spanOf } from "./read-market.ts";
import {
  compactionJson,
  compactionPauseS,
  compactionShape,
  compactionText,
  runCompaction,
} from "./run-compaction.ts";
import { survey } from "./survey.ts";

const HELP = `
Two things make listings read more than they show, and this command takes both
away. A withdrawn trade stays stored beneath its withdrawal: the trade is
deleted, and the withdrawal moved to a place that only imports read, so that an
import of the same trades still leaves them out. And trades that a queue
delivered again, or a few at a time, are stored in more segments than they
need: where two seconds of a market cost more than 1.5 times what one import of
them would, they are stored as such an import stores them.

The whole table of trades is read to find them, or with --from only that time.
Listings stay correct meanwhile: before each removal a pause of ${compactionPauseS} seconds lets
those that are under way end. Ctrl-C stops the command at any time; the same
command run again continues. Afterwards listings read what they show.

Examples:
  ${commands.ops} segments compact BTC-USD --dry-run
  ${commands.ops} segments compact BTC-USD --from 2026-11-24 --to 2026-11-25 --yes

Exit codes: 0 done, 1 nothing was changed after a no, 2 the store failed,
130 stopped by Ctrl-C.`;

const EXAMPLE = {
  market: "BTC-USD",
  outcome: "done",
  withdrawnTrades: 0,
  stretches: 1204,
  segmentsBefore: 5312,
  segmentsAfter: 1204,
  leftStretches: 3,
} as const;

interface Options extends StoreOptions, SpanOptions {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

interface Plan {
  readonly minutes: ReadonlySet<number>;
  readonly planned: Compacted;
}

async function plan(register: TradeRegister, symbol: string, options: Options): Promise<Plan> {
  const segments = readMarket(register, symbol, spanOf(options));
  const { minutes } = await survey(symbol, segments, systemClock());
  const { signal: stop } = new AbortController();
  return {
    minutes,
    planned: await rehearse({ store: register, symbol, minutes, clock: systemClock, stop }),
  };
}

function tell(
  symbol: string,
  { json }: Options,
  outcome: "done" | "planned" | "stopped",
  compacted: Compacted | undefined,
): void {
  if (json) printJson(compactionShape, compactionJson(symbol, outcome, compacted));
  else if (compacted !== undefined)
    console.log(compactionText(symbol, compacted, outcome === "planned" ? "would be" : "were"));
}

const question = (symbol: string, { stretchCount, tradeCount }: Compacted): string =>
  tradeCount === 0
    ? `Compact ${inThousands(stretchCount)} stretches of ${symbol}?`
    : `Compact ${inThousands(stretchCount)} stretches of ${symbol}, and delete ${inThousands(tradeCount)} withdrawn trades for good?`;

async function compactMarket(store: OperatorStore, symbol: string, options: Options): Promise<number> {
  const register = await requireMarketTrades(store, symbol);
  const { minutes, planned } = await plan(register, symbol, options);
  if (options.dryRun || planned.stretchCount === 0) {
    tell(symbol, options, options.dryRun ? "planned" : "done", planned);
    return exitCodes.done;
  }
  if (!(await confirmed(question(symbol, planned), options))) {
    console.error("Nothing was changed.");
    return exitCodes.someRefused;
  }
  const change = { command: "segments compact", target: `segments of ${symbol}` };
  const compacted = await audited(store, change, () => runCompaction(store, symbol, minutes), reportOf);
  tell(symbol, options, compacted === undefined ? "stopped" : "done", compacted);
  return compacted === undefined ? exitCodes.interrupted : exitCodes.done;
}

function reportOf(compacted: Compacted | undefined) {
  if (compacted === undefined) return { outcome: "stopped" } as const;
  const { tradeCount, stretchCount, leftCount } = compacted;
  return { counts: { stretches: stretchCount, withdrawnTrades: tradeCount, leftStretches: leftCount } };
}

/** `segments compact`: removes what listings of a market read and do not show. */
export function compactSegments(group: Command): void {
  const command = group
    .command("compact")
    .description("store a market's trades so that listings read only what they show")
    .argument("<market>", "the market, such as BTC-USD");
  addSpanOptions(command)
    .option("--dry-run", "say what would be done, and change nothing")
    .addOption(yesOption());
  addJsonOption(addStoreOptions(command), compactionShape, EXAMPLE)
    .addHelpText("after", HELP)
    .action(async (symbol: string, options: Options) => {
      process.exitCode = await withExistingStore(options, (store) => compactMarket(store, symbol, options));
    });
}
