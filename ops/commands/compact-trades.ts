import type { Command } from "commander";
import { DamagedSegment, readSegment } from "../../lib/trades/read-segment.ts";
import { isWithdrawnAt } from "../../lib/trades/segment-columns.ts";
import { isWithdrawnPartition } from "../../lib/trades/segment-key.ts";
import type { TradeRegister } from "../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { minuteOf } from "../trades/compact.ts";
import { requireMarketTrades } from "../trades/market-trades.ts";
import { compactionPausesS, runCompaction } from "../trades/run-compaction.ts";
import { lastPlaceIn } from "../trades/segment-by-key.ts";

const HELP = `
A withdrawn trade stays stored beneath its withdrawal, and whoever lists that time reads both. This takes them out of the way:
the trades for good, the withdrawals to where imports alone look, so that an import of the same trades goes on leaving them
out. \`import trades --withdraw\` does it by itself for 1,000 trades or more. The whole table of trades is read to find them.
Listings may go on meanwhile: two pauses of ${compactionPausesS / 2} seconds let those that are under way see the end of it. Ctrl-C at
any time; run again, it goes on.

Example:
  npm run ops -- trades compact BTC-USD

Exit codes: 0 done, 2 the store failed, 130 stopped by Ctrl-C.`;

/** Whether something of a segment is withdrawn; of a damaged one nobody knows. */
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

/** The minutes in which something of a market is withdrawn. What is under a key without an instant is damaged. */
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

/** `trades compact`: takes what was withdrawn of a market out of the way of its listings. */
export function compactTrades(group: Command): void {
  addStoreOptions(
    group
      .command("compact")
      .description("take what was withdrawn of a market out of the way of listings")
      .argument("<market>", "the market, such as BTC-USD"),
  )
    .addHelpText("after", HELP)
    .action(compactMarket);
}
