import * as z from "zod/mini";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { runLiveTrades, waitUnless } from "../../local/demo/live-trades.ts";
import { type DemoMarket, demoMarkets } from "../../local/demo/trade-plan.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { parseCount } from "../arguments/parse-count.ts";
import { parseDuration } from "../arguments/parse-duration.ts";
import { defineCommand } from "../command.ts";
import { followServiceTime } from "../service-time.ts";
import { durationText } from "../terminal/time-left.ts";

const PER_SECOND_MAX = 10_000;
const PLAIN_LINE_MS = 5_000;

function parseRate(text: string): number {
  const perSecond = parseCount(text);
  if (perSecond <= PER_SECOND_MAX) return perSecond;
  throw new RangeError(`Give a whole number from 1 to ${PER_SECOND_MAX}.`);
}

/** Shows how many trades there are: on one line of a terminal, elsewhere by a line every five seconds. */
function showTrades(market: DemoMarket, clock: Clock): (total: number, last: Trade) => void {
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

/** `demo trades`: lets a market of the demo go on. */
export const continueTrades = defineCommand({
  words: "demo trades",
  summary: "let a market of the demo go on, until Ctrl-C",
  about: `The trades have the time of now, and go on with the walk of the market's price.
Each second, those since the last are written together, as an import does.
Ctrl-C, or the end of --for, ends it: all trades until then are written.`,
  examples: ["ops demo trades --per-second 5", "ops demo trades --market SOL-EUR --per-second 200 --for 10m"],
  exits: { 0: "done", 2: "there is no store, or it failed" },
  on: "running service",
  takes: {
    "--market <symbol>": {
      text: "the market",
      choices: Object.values(demoMarkets),
      default: demoMarkets.busy,
    },
    "--per-second <n>": {
      text: "how many trades a second, up to 10,000",
      parse: parseRate,
      required: true,
    },
    "--for <time>": { text: "how long, such as 30s or 10m", parse: parseDuration },
  },
  stops: "",
  json: {
    shape: z.object({ market: z.string(), trades: z.number(), tookMs: z.number() }),
    example: { market: "BTC-USD", trades: 300, tookMs: 60_004 },
  },
  async run({ market, perSecond, for: forMs, data }, { store, stoppable }) {
    const clock = systemClock;
    const startedAt = performance.now();
    const trades = await stoppable(async (stop) => {
      const { table } = await store();
      await new MarketRegister(table("Settings")).add(marketOf(market));
      const register = new TradeRegister(table("Trades"));
      // A stop must not give up a batch, so it does not shorten the pauses.
      const { signal } = new AbortController();
      const write = (some: readonly Trade[]) => retryStore(() => putTrades(register, market, some), signal);
      const onWritten = showTrades(market, () => performance.now());
      const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
        await waitUnless(ms, signal);
        await followServiceTime(data);
      };
      return await runLiveTrades({ market, perSecond, forMs, write, onWritten, stop, clock, wait });
    }).finally(() => {
      if (process.stderr.isTTY) process.stderr.write("\n");
    });
    if (trades === undefined) throw new OperatorError("The store failed while the last trades were written.");
    const tookMs = Math.round(performance.now() - startedAt);
    return {
      json: { market, trades, tookMs },
      text: `Wrote ${inThousands(trades)} trades of ${market} in ${durationText(tookMs)}.`,
    };
  },
});
