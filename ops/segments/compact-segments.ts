import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { inThousands } from "../../local/records/tally.ts";
import { defineCommand } from "../command.ts";
import { type Compacted, nothingCompacted, rehearse } from "./compact.ts";
import { readMarket, requireMarketTrades, spanOf, spanTakes } from "./read-market.ts";
import { compactionPauseS, compactionText, runCompaction } from "./run-compaction.ts";
import { survey } from "./survey.ts";

/** A compaction for programs. */
const shape = z.object({
  market: z.string(),
  /** `planned` is a dry run, `stopped` an end by Ctrl-C, of which nothing is counted. */
  outcome: z.enum(["done", "planned", "stopped"]),
  withdrawnTrades: z.number(),
  stretches: z.number(),
  segmentsBefore: z.number(),
  segmentsAfter: z.number(),
  leftStretches: z.number(),
});

type Outcome = z.infer<typeof shape>["outcome"];

const countsOf = ({ stretchCount, tradeCount, leftCount }: Compacted) => ({
  stretches: stretchCount,
  withdrawnTrades: tradeCount,
  leftStretches: leftCount,
});

function told(market: string, outcome: Outcome, compacted: Compacted | undefined) {
  const done = compacted ?? nothingCompacted();
  const { before, after } = done.segments;
  return {
    json: { market, outcome, ...countsOf(done), segmentsBefore: before, segmentsAfter: after },
    text: compacted && compactionText(market, compacted, outcome === "planned" ? "would be" : "were"),
  };
}

/** `segments compact`: removes what listings of a market read and do not show. */
export const compactSegments = defineCommand({
  words: "segments compact",
  summary: "store a market's trades so that listings read only what they show",
  about: `
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
command run again continues. Afterwards listings read what they show.`,
  examples: [
    "ops segments compact BTC-USD --dry-run",
    "ops segments compact BTC-USD --from 2026-11-24 --to 2026-11-25 --yes",
  ],
  exits: { 0: "done", 1: "nothing was changed after a no", 2: "the store failed" },
  on: "store",
  takes: { "<market>": "the market, such as BTC-USD", ...spanTakes },
  dryRun: "say what would be done, and change nothing",
  asks: true,
  stops: "Stopping …",
  json: {
    shape,
    example: {
      market: "BTC-USD",
      outcome: "done",
      withdrawnTrades: 0,
      stretches: 1204,
      segmentsBefore: 5312,
      segmentsAfter: 1204,
      leftStretches: 3,
    },
  },
  async run({ market, dryRun, ...given }, context) {
    const store = await context.store();
    const register = await requireMarketTrades(store, market);
    const now = systemClock();
    const { minutes } = await survey(market, readMarket(register, market, spanOf(given)), now);
    const { signal: stop } = new AbortController();
    const planned = await rehearse({ store: register, symbol: market, minutes, clock: systemClock, stop });
    const { tradeCount, stretchCount } = planned;
    if (dryRun || stretchCount === 0) return told(market, dryRun ? "planned" : "done", planned);
    const deleted =
      tradeCount === 0 ? "" : `, and delete ${inThousands(tradeCount)} withdrawn trades for good`;
    await context.confirm(`Compact ${inThousands(stretchCount)} stretches of ${market}${deleted}?`);
    const compacted = await context.audited(
      { target: `segments of ${market}` },
      () => runCompaction(store, context, market, minutes),
      (done) => ({ ...(done !== undefined && { counts: countsOf(done) }) }),
    );
    return told(market, compacted === undefined ? "stopped" : "done", compacted);
  },
});
