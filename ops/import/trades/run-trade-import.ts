import type { Clock } from "../../../lib/clock.ts";
import { instantViolation, isAncient } from "../../../lib/trades/instant-sense.ts";
import { inThousands } from "../../../local/records/tally.ts";
import { describeFile } from "../first-look.ts";
import type { ImportJournal } from "../journal/import-journal.ts";
import { NameCounts, shownMarket } from "../name-counts.ts";
import { type ImportJob, runImport } from "../run-import.ts";
import type { TradeFormat } from "./formats.ts";
import type { WriteTrades } from "./market-writer.ts";
import { openTrades } from "./open-zip.ts";
import { type PassedOver, refuse, type TradeParser } from "./trade-source.ts";
import { writeTradeLines } from "./write-trades.ts";

export interface TradeImportJob extends Pick<ImportJob, "begin" | "end" | "json"> {
  /** The file to import, or `-` for standard input. */
  readonly file: string;
  readonly format: TradeFormat;
  /** The file that lists refused lines and remarks. */
  readonly rejects: string;
  readonly parse: TradeParser;
  /** Writes a batch; throws only where the store fails. */
  readonly write: WriteTrades;
  /** Whether trades are taken back. Their times are then not judged, because wrong trades may have wrong times. */
  readonly isWithdrawal: boolean;
  readonly takesLastLine: boolean;
  readonly isRehearsal: boolean;
  readonly journal?: ImportJournal | undefined;
  /** Further lines of the closing report. */
  readonly remarks: () => readonly string[];
  readonly clock: Clock;
}

/** The most trades before 2009 that are listed one by one. */
const ANCIENT_LISTED_MAX = 1_000;
const ANCIENT = "tdt or pdt lies before 2009: is it in seconds?";

/** Refuses trades with impossible times, and counts those with doubtful ones. */
export class InstantJudge {
  readonly #job: Pick<TradeImportJob, "clock" | "isWithdrawal">;
  #ancient = 0;

  constructor(job: Pick<TradeImportJob, "clock" | "isWithdrawal">) {
    this.#job = job;
  }

  judged(parse: TradeParser): TradeParser {
    return (text) => {
      const parsed = parse(text);
      if (!("trade" in parsed)) return parsed;
      const violation = this.#job.isWithdrawal
        ? undefined
        : instantViolation(parsed.trade, this.#job.clock());
      if (violation !== undefined) return refuse(violation);
      if (!isAncient(parsed.trade)) return parsed;
      this.#ancient += 1;
      return this.#ancient > ANCIENT_LISTED_MAX ? parsed : { ...parsed, remark: ANCIENT };
    };
  }

  remarks(): readonly string[] {
    if (this.#ancient === 0) return [];
    return [
      `Trades before 2009: ${inThousands(this.#ancient)}. Are their times in seconds? Epoch milliseconds have 13 digits.`,
    ];
  }
}

/** Counts the skipped lines by market and by type. */
class PassedOverLines {
  readonly #markets = new NameCounts();
  readonly #types = new NameCounts();

  add(line: PassedOver): void {
    if (line.passedOver === "other market") this.#markets.add(shownMarket(line.name));
    if (line.passedOver === "other type") this.#types.add(shownMarket(line.name));
  }

  remarks(): readonly string[] {
    return [
      ...this.#markets.describe("Skipped lines of other markets"),
      ...this.#types.describe("Skipped lines of other types"),
    ];
  }
}

/** Imports a file of trades as `runImport` does, and reports the skipped lines of other markets and types. */
export async function runTradeImport(given: TradeImportJob): Promise<number> {
  const { parse, write, takesLastLine, format, ...job } = given;
  const judge = new InstantJudge(given);
  const passedOver = new PassedOverLines();
  const parts = {
    parse: judge.judged(parse),
    write,
    takesLastLine,
    isWithdrawal: given.isWithdrawal,
    onPassedOver: (line: PassedOver) => passedOver.add(line),
  };
  return await runImport({
    ...job,
    records: "trades",
    open: openTrades,
    describe: (head) => describeFile(head, format),
    writeLines: (lines, sink) => writeTradeLines(lines, { ...sink, ...parts }),
    remarks: () => [...passedOver.remarks(), ...judge.remarks(), ...job.remarks()],
  });
}
