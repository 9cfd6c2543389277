import type { Command } from "commander";
import { DamagedSegment, readSegment } from "../../lib/trades/read-segment.ts";
import { isWithdrawnAt } from "../../lib/trades/segment-columns.ts";
import { isWithdrawnPartition } from "../../lib/trades/segment-key.ts";
import type { TradeRegister } from "../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import { commands } from "../../local/installation.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { minuteOf } from "../segments/compaction-step.ts";
import { requireMarketTrades } from "../segments/market-trades.ts";
import { compactionPausesS, runCompaction } from "../segments/run-compaction.ts";
import { lastPlaceIn } from "../segments/segment-by-key.ts";

const HELP = `
A withdrawn trade stays stored beneath its withdrawal, and every listing of that time reads both. This command deletes
the withdrawn trades, and moves their withdrawals to a place that only imports read: an import of the same trades still
leaves them out. It reads the whole table of trades to find them. A withdrawal of 1,000 trades or more by
\`import trades --withdraw\` compacts by itself.
Listings stay correct meanwhile: two pauses of ${compactionPausesS / 2} seconds let those that are under way end. Ctrl-C stops the command
at any time; the same command run again continues.

Example:
  ${commands.ops} trades compact BTC-USD

Exit codes: 0 done, 2 the store failed, 130 stopped by Ctrl-C.`;

/** Whether a segment holds a withdrawal. A damaged one may hold one, so the answer for it is true. */
function withdraws(segment: StoredSegment): boolean {
  if (isWithdrawnPartition(segment.partition)) return true;
  try {
    const columns = readSegment(segment);
    return Array.from({ length: columns.count }, (_, row) => row).some((row) => isWithdrawnAt(columns, row));
  } catch (error) {
    if (error instanceof DamagedSegment) return true;
    throw error;
  }
}

/** The minutes in which trades of a market are withdrawn. A key that names no instant belongs to a damaged segment. */
async function withdrawnMinutes(register: TradeRegister, symbol: string): Promise<ReadonlySet<number>> {
  const minutes = new Set<number>();
  for await (const segment of register.list(symbol)) {
    const last = lastPlaceIn(segment);
    if (last !== undefined && withdraws(segment)) minutes.add(minuteOf(last.tradedAt));
  }
  return minutes;
}

async function compactMarket(symbol: string, options: StoreOptions): Promise<void> {
  process.exitCode = await withExistingStore(options, async (store) => {
    const minutes = await withdrawnMinutes(await requireMarketTrades(store, symbol), symbol);
    return await runCompaction(store, symbol, minutes);
  });
}

/** `trades compact`: removes a market's withdrawn trades from what listings read. */
export function compactTrades(group: Command): void {
  addStoreOptions(
    group
      .command("compact")
      .description("delete the withdrawn trades of a market, which slow its listings down")
      .argument("<market>", "the market, such as BTC-USD"),
  )
    .addHelpText("after", HELP)
    .action(compactMarket);
}
