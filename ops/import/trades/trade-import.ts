import { systemClock } from "../../../lib/clock.ts";
import type { Market } from "../../../lib/markets/market.ts";
import { MarketStore } from "../../../lib/markets/market-store.ts";
import { exitCodes } from "../../../local/process/operator-error.ts";
import { inThousands } from "../../../local/records/tally.ts";
import { minuteOf } from "../../segments/compact.ts";
import { compactionText, runCompaction } from "../../segments/run-compaction.ts";
import type { OperatorStore } from "../../store/operator-store.ts";
import type { ImportContext } from "../import-report.ts";
import { ImportJournal } from "../journal/import-journal.ts";
import { type ImportOrder, runImport } from "../run-import.ts";
import type { TradeFormat } from "./formats.ts";
import { marketWriter } from "./market-writer.ts";
import { TradeReader } from "./read-trades.ts";
import { type WriteTrades, writeTradeLines } from "./write-trades.ts";

/** An import of the trades of a market. */
export interface TradeOrder extends ImportOrder {
  readonly kind: "trades";
  readonly market: Market;
  readonly format: TradeFormat;
  readonly revision?: number | undefined;
  /** Whether trades are taken back. */
  readonly isWithdrawal: boolean;
  readonly takesLastLine: boolean;
  readonly dropsUnknown: boolean;
}

/** Fewer withdrawn trades hardly slow listings down, and do not justify the minute that a compaction takes. */
const COMPACTED_TRADES_MIN = 1_000;

/** Imports trades as `runImport` does. A withdrawal of many is followed by a compaction of the minutes they were made in. */
export async function importTradeFile(
  store: OperatorStore,
  order: TradeOrder,
  context: ImportContext,
): Promise<number> {
  const { market, isWithdrawal, isRehearsal } = order;
  const { symbol } = market;
  const listed = await new MarketStore(store.table("Settings"), systemClock).get(symbol);
  const journal = isRehearsal ? undefined : new ImportJournal(store, "trades", symbol);
  const reader = new TradeReader({ ...order, symbol, market: listed ?? market, venue: store.brand.venue });
  const writeToMarket = marketWriter(store, { ...order, isListed: listed !== undefined, journal });
  const minutes = new Set<number>();
  let [tradeCount, withdrawnCount] = [0, 0];
  const write: WriteTrades = async (trades) => {
    const written = await writeToMarket(trades);
    for (const { tradedAt } of trades) minutes.add(minuteOf(tradedAt));
    tradeCount += trades.length;
    withdrawnCount += written.withdrawn;
    return written;
  };
  const code = await runImport(
    store,
    order,
    {
      journal,
      write: (lines, run) => writeTradeLines(lines, run, { reader, write, isWithdrawal }),
      remarks: () => [...reader.remarks(), ...withdrawnRemark(withdrawnCount)],
    },
    context,
  );
  const isOver = code === exitCodes.interrupted || tradeCount < COMPACTED_TRADES_MIN;
  if (!isWithdrawal || isRehearsal || isOver) return code;
  const compacted = await runCompaction(store, context, symbol, minutes);
  if (compacted === undefined) return exitCodes.interrupted;
  context.print(undefined, compactionText(symbol, compacted, "were"));
  return code;
}

const withdrawnRemark = (count: number): readonly string[] =>
  count === 0
    ? []
    : [
        `Trades left out because they are withdrawn: ${inThousands(count)}. To list them again, give a --revision above the withdrawal's.`,
      ];
