import type { Command } from "commander";
import { DamagedSegment, keyText, readSegment } from "../../lib/trades/read-segment.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import { commands } from "../../local/installation.ts";
import { inThousands } from "../import/tally.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { exitCodes } from "../terminal/operator-error.ts";
import { instantText, printTable } from "../terminal/write-table.ts";
import { requireMarketTrades } from "../segments/market-trades.ts";
import { lastPlaceIn } from "../segments/segment-by-key.ts";

const HELP = `
Trades are stored in segments of at most two seconds. A damaged segment cannot be read: requests for its two seconds are
answered 500, and the function's log names the segment's key. This command reads the whole table of trades and lists the
market's damaged segments; \`trades remove-damaged\` removes one.

Example:
  ${commands.ops} trades check BTC-USD

Exit codes: 0 all segments can be read, 1 some are damaged, 2 the market could not be checked.`;

function isDamaged(segment: StoredSegment): boolean {
  try {
    readSegment(segment);
    return false;
  } catch (error) {
    if (error instanceof DamagedSegment) return true;
    throw error;
  }
}

interface Findings {
  readonly count: number;
  readonly damaged: readonly StoredSegment[];
}

async function inspect(store: OperatorStore, symbol: string): Promise<Findings> {
  const damaged: StoredSegment[] = [];
  let count = 0;
  for await (const segment of (await requireMarketTrades(store, symbol)).list(symbol)) {
    count += 1;
    if (isDamaged(segment)) damaged.push(segment);
  }
  return { count, damaged };
}

async function check(symbol: string, options: StoreOptions): Promise<void> {
  const { count, damaged } = await withExistingStore(options, (store) => inspect(store, symbol));
  console.log(`${symbol}: ${inThousands(count)} segments, ${inThousands(damaged.length)} of them damaged.`);
  if (damaged.length === 0) return;
  const rows = damaged.map((segment) => {
    const last = lastPlaceIn(segment);
    return [keyText(segment), last === undefined ? "unknown" : instantText(last.tradedAt)];
  });
  printTable({ head: ["KEY", "LAST TRADE"], rows });
  process.exitCode = exitCodes.someRefused;
}

/** `trades check`: finds the damaged segments of a market. */
export function checkTrades(group: Command): void {
  addStoreOptions(
    group
      .command("check")
      .description("find the damaged segments of a market")
      .argument("<market>", "the market, such as BTC-USD"),
  )
    .addHelpText("after", HELP)
    .action(check);
}
