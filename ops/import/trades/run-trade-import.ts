import type { Clock } from "../../../lib/clock.ts";
import type { Trade } from "../../../lib/trades/trade.ts";
import { runImport } from "../run-import.ts";
import { inThousands } from "../tally.ts";
import { openTrades } from "./open-zip.ts";
import type { TradeParser } from "./trade-source.ts";
import { writeTradeLines } from "./write-trades.ts";

export interface TradeImportJob {
  /** The file to import, or `-` for standard input. */
  readonly file: string;
  /** Where refused lines are listed. */
  readonly rejects: string;
  readonly parse: TradeParser;
  /** Writes a batch; throws only on trouble with the store. */
  readonly write: (trades: readonly Trade[]) => Promise<unknown>;
  readonly clock: Clock;
}

/** Imports a file of trades as `runImport` does, and tells how many lines were of other markets. */
export async function runTradeImport({ parse, write, ...job }: TradeImportJob): Promise<number> {
  let passedOver = 0;
  const onPassedOver = () => {
    passedOver += 1;
  };
  return await runImport({
    ...job,
    open: openTrades,
    writeLines: (lines, sink) => writeTradeLines(lines, { ...sink, parse, write, onPassedOver }),
    remarks: () =>
      passedOver === 0 ? [] : [`Lines of other markets, passed over: ${inThousands(passedOver)}`],
  });
}
