import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../lib/clock.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { inThousands } from "../../local/records/tally.ts";
import type { Context } from "../command.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { terminalWidth, wrapText } from "../terminal/write-table.ts";
import { type Compacted, compact, SETTLE_MS } from "./compact.ts";

/** The length of a pause of a compaction, in seconds. */
export const compactionPauseS = SETTLE_MS / 1000;

/** The advice to continue a compaction that was stopped or left something. */
const wayOn = (symbol: string): string => `\`segments compact ${symbol}\` continues`;

/** A compaction in words. @param verb "were" for one that is done, "would be" for one that is planned. */
export function compactionText(symbol: string, compacted: Compacted, verb: "were" | "would be"): string {
  const { tradeCount, stretchCount, segments, leftCount } = compacted;
  if (stretchCount + leftCount === 0) return `${symbol}: nothing to compact.`;
  const lines = [
    `${symbol}: ${inThousands(stretchCount)} stretches of two seconds ${verb} compacted, ${inThousands(segments.before)} segments to ${inThousands(segments.after)}.`,
  ];
  if (tradeCount > 0) lines.push(`Withdrawn trades that ${verb} removed: ${inThousands(tradeCount)}.`);
  if (leftCount > 0)
    lines.push(
      `Stretches that ${verb} left as they are: ${inThousands(leftCount)}. They are damaged (\`segments check ${symbol}\`), not published yet, or were written to meanwhile; ${wayOn(symbol)}.`,
    );
  const width = terminalWidth() ?? Number.POSITIVE_INFINITY;
  return lines.flatMap((line) => wrapText(line, width)).join("\n");
}

/**
 * Compacts some minutes of a market, and tells its progress on standard error.
 *
 * @returns what was done; undefined when it was stopped by Ctrl-C.
 */
export async function runCompaction(
  { table }: OperatorStore,
  { stoppable }: Pick<Context<unknown>, "stoppable">,
  symbol: string,
  minutes: Iterable<number>,
): Promise<Compacted | undefined> {
  const compacted = await stoppable((stop) =>
    compact({
      store: new TradeRegister(table("Trades")),
      symbol,
      minutes,
      clock: systemClock,
      pause: (ms, signal) => pause(ms, undefined, { signal }),
      stop,
      report: (line) => console.error(line),
    }),
  );
  if (compacted === undefined)
    console.error(`Stopped. Listings show what they did before; ${wayOn(symbol)}.`);
  return compacted;
}
