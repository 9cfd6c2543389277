import { type Command, Option } from "commander";
import * as z from "zod/mini";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { type LiveMarket, liveMarkets, runLiveTrades } from "../../local/demo/live-trades.ts";
import { demoMarkets } from "../../local/demo/trade-plan.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { parseCount } from "../arguments/parse-count.ts";
import { parseDuration } from "../arguments/parse-duration.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { withExistingStore } from "../store/store.ts";
import { optionOf } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { durationText } from "../terminal/time-left.ts";
import { addRunningOptions, type RunningOptions } from "./running-options.ts";

const PER_SECOND_MAX = 10_000;
const PLAIN_LINE_MS = 5_000;

const HELP = `
The trades have the time of now, and the prices at which the demo's market would
be. Each second, those since the last are written together, as an import does.
Ctrl-C, or the end of --for, ends it: all trades until then are written.

Examples:
  ${commands.ops} demo trades --per-second 5
  ${commands.ops} demo trades --market SOL-EUR --per-second 200 --for 10m

Exit codes: 0 done, 2 there is no store, or it failed, 130 stopped by Ctrl-C.`;

const shape = z.object({ market: z.string(), trades: z.number(), tookMs: z.number() });

interface Options extends RunningOptions {
  readonly json?: true;
  readonly market: LiveMarket;
  readonly perSecond: number;
  readonly for?: number;
}

function parseRate(text: string): number {
  const perSecond = parseCount(text);
  if (perSecond <= PER_SECOND_MAX) return perSecond;
  throw new RangeError(`Give a whole number from 1 to ${PER_SECOND_MAX}.`);
}

/** Shows how many trades there are: on one line of a terminal, elsewhere by a line every five seconds. */
function showTrades(market: LiveMarket, clock: Clock): (total: number, last: Trade) => void {
  let shownAt = clock();
  return (total, { price }) => {
    const line = `${market}: ${inThousands(total)} trades, the last at ${price}`;
    if (process.stderr.isTTY) process.stderr.write(`\r${line}\u001b[K`);
    else if (clock() - shownAt >= PLAIN_LINE_MS) {
      console.error(line);
      shownAt = clock();
    }
  };
}

async function goOn({ data, market, perSecond, for: forMs, json }: Options): Promise<void> {
  const clock = systemClock;
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, clock, () => {});
  const startedAt = clock();
  const total = await withExistingStore({ data }, async ({ table }) => {
    await new MarketRegister(table("Settings")).add(marketOf(market));
    const register = new TradeRegister(table("Trades"));
    // A stop must not give up a batch, so it does not shorten the pauses.
    const { signal } = new AbortController();
    const write = (trades: readonly Trade[]) => retryStore(() => putTrades(register, market, trades), signal);
    const onWritten = showTrades(market, clock);
    return await runLiveTrades({ market, perSecond, forMs, write, onWritten, stop: stop.signal, clock });
  }).finally(() => {
    interrupt.forget();
    if (process.stderr.isTTY) process.stderr.write("\n");
  });
  const tookMs = clock() - startedAt;
  if (json === true) printJson(shape, { market, trades: total, tookMs });
  else console.log(`Wrote ${inThousands(total)} trades of ${market} in ${durationText(tookMs)}.`);
  if (interrupt.happened()) process.exitCode = exitCodes.interrupted;
}

/** `demo trades`: lets a market of the demo go on. */
export function continueTrades(group: Command): void {
  const command = addRunningOptions(
    group
      .command("trades")
      .description("let a market of the demo go on, until Ctrl-C")
      .addOption(new Option("--market <symbol>", "the market").choices(liveMarkets).default(demoMarkets.busy))
      .addOption(
        new Option("--per-second <n>", "how many trades a second, up to 10,000")
          .argParser(optionOf(parseRate))
          .makeOptionMandatory(),
      )
      .addOption(
        new Option("--for <time>", "how long, such as 30s or 10m").argParser(optionOf(parseDuration)),
      ),
  );
  addJsonOption(command, shape, { market: "BTC-USD", trades: 300, tookMs: 60_004 })
    .addHelpText("after", HELP)
    .action(goOn);
}
