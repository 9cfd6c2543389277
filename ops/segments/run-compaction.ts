import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../lib/clock.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { stopOnInterrupt } from "../import/stop-on-interrupt.ts";
import { inThousands } from "../import/tally.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { exitCodes } from "../terminal/operator-error.ts";
import { type Compacted, compact, SETTLE_MS } from "./compact.ts";

/** The advice to continue a compaction that was stopped or left something. */
const wayOn = (symbol: string): string => `\`trades compact ${symbol}\` continues`;

function describe(symbol: string, { tradeCount, leftCount }: Compacted): string {
  const done =
    tradeCount === 0 && leftCount === 0
      ? `${symbol}: listings read no withdrawn trades.`
      : `${symbol}: ${inThousands(tradeCount)} withdrawn trades were removed.`;
  if (leftCount === 0) return done;
  const left = `${inThousands(leftCount)} stretches of two seconds were left as they are: damaged (\`trades check\`), not published yet, or written to meanwhile`;
  return `${done}\n${left}; ${wayOn(symbol)}.`;
}

/**
 * Compacts some minutes of a market, and prints its progress.
 *
 * @returns the exit code: 0, or 130 when it was stopped by Ctrl-C.
 */
export async function runCompaction(
  { table }: OperatorStore,
  symbol: string,
  minutes: Iterable<number>,
): Promise<number> {
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => console.error("\nStopping …"));
  try {
    const compacted = await compact({
      store: new TradeRegister(table("Trades")),
      symbol,
      minutes,
      clock: systemClock,
      pause: (ms, signal) => pause(ms, undefined, { signal }),
      stop: stop.signal,
      report: (line) => console.error(line),
    });
    console.log(describe(symbol, compacted));
    return exitCodes.done;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    console.error(`Stopped. What was withdrawn stays withdrawn; ${wayOn(symbol)}.`);
    return exitCodes.interrupted;
  } finally {
    interrupt.forget();
  }
}

/** The length of all pauses of a compaction together, in seconds. */
export const compactionPausesS = (2 * SETTLE_MS) / 1000;
