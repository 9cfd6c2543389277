import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { microsKey } from "../../lib/instant.ts";
import type { Span } from "../../lib/trades/withdrawn-places.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { momentOption, parseMoment } from "../get/download-options.ts";
import { MINUTE_MS, minuteOf } from "./compaction-step.ts";

/** The options that limit a command to a time of a market. */
export interface SpanOptions {
  readonly from?: string;
  readonly to?: string;
}

/** Adds {@link SpanOptions} to a command. */
export const addSpanOptions = (command: Command): Command =>
  command
    .addOption(
      momentOption(
        "--from <instant>",
        "the oldest instant: an ISO date, epoch ms, or how long ago, such as 7d",
        systemClock,
      ),
    )
    .addOption(momentOption("--to <instant>", "with --from: the newest instant (default: now)", systemClock));

const msOf = (text: string, now: number): number =>
  Math.floor(Number(microsKey(parseMoment(text, now))) / 1_000);

/** The span that the options name, in whole minutes (epoch ms), so that no stretch is cut; undefined for everything. */
export function spanOf({ from, to }: SpanOptions): Span | undefined {
  const now = systemClock();
  if (from === undefined) {
    if (to === undefined) return undefined;
    throw new OperatorError("--to goes with --from.");
  }
  const [fromMs, toMs] = [msOf(from, now), to === undefined ? now : msOf(to, now)];
  if (fromMs > toMs) throw new OperatorError("--from must not be later than --to.");
  return { fromMs: minuteOf(fromMs) * MINUTE_MS, toMs: (minuteOf(toMs) + 1) * MINUTE_MS - 1 };
}
