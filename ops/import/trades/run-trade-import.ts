import { resolve } from "node:path";
import type { Clock } from "../../../lib/clock.ts";
import type { Trade } from "../../../lib/trades/trade.ts";
import { exitCodes, OperatorError } from "../../operator-error.ts";
import { showProgress } from "../progress.ts";
import { readLines } from "../read-lines.ts";
import { RejectsFile } from "../rejects-file.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { inThousands, newTally, summarise, type Tally } from "../tally.ts";
import { openTrades } from "./open-zip.ts";
import type { TradeParser } from "./trade-source.ts";
import { writeTradeLines } from "./write-trades.ts";

const REFUSALS_SHOWN_MAX = 3;

export interface TradeImportJob {
  /** The file to import, or `-` for standard input. */
  readonly file: string;
  /** Where refused lines are listed. */
  readonly rejects: string;
  readonly parse: TradeParser;
  readonly write: (trades: readonly Trade[]) => Promise<unknown>;
  readonly clock: Clock;
}

/** What a run leaves behind, for its closing report. */
interface Run {
  readonly tally: Tally;
  passedOver: number;
  readonly firstRefusals: string[];
  interrupted: boolean;
  fault: unknown;
}

function report(run: Run, job: TradeImportJob, tookMs: number): number {
  console.log(summarise(run.tally, tookMs));
  if (run.passedOver > 0) console.log(`Lines of other markets, passed over: ${inThousands(run.passedOver)}`);
  for (const refusal of run.firstRefusals) console.error(refusal);
  if (run.tally.refused > 0) console.error(`Refused lines, by number and reason: ${job.rejects}`);
  if (run.interrupted) {
    console.error("Stopped. Run the same command again to complete it: what is stored is stored only once.");
    return exitCodes.interrupted;
  }
  if (run.fault !== undefined) throw run.fault;
  return run.tally.refused > 0 ? exitCodes.someRefused : exitCodes.done;
}

/** What happens to lines that give no trade. */
function listeners(run: Run, rejects: RejectsFile) {
  return {
    onPassedOver: () => {
      run.passedOver += 1;
    },
    onRefused: async (line: number, reason: string) => {
      const isShown = run.firstRefusals.length < REFUSALS_SHOWN_MAX;
      if (isShown) run.firstRefusals.push(`Line ${line} was refused: ${reason}`);
      await rejects.add(line, reason);
    },
  };
}

async function importAll({ file, parse, write, clock }: TradeImportJob, rejects: RejectsFile): Promise<Run> {
  const stop = new AbortController();
  const source = await openTrades(file, stop.signal);
  const tally = newTally();
  const run: Run = { tally, passedOver: 0, firstRefusals: [], interrupted: false, fault: undefined };
  const keepFault = (fault: unknown) => {
    run.fault ??= fault;
  };
  const interrupt = stopOnInterrupt(stop, clock);
  const hideProgress = showProgress(source, tally, clock);
  const writer = { parse, write, tally, stop, ...listeners(run, rejects) };
  await writeTradeLines(readLines(source.chunks), writer).catch(keepFault);
  await rejects.close().catch(keepFault);
  hideProgress();
  interrupt.forget();
  run.interrupted = interrupt.happened();
  return run;
}

/**
 * Imports a file of trades and prints what became of its lines. Returns the exit code: 0 when all is stored, 1 when lines
 * were refused, 130 after Ctrl-C. Throws, after the summary, when the store or the file failed on the way. However it
 * ended, the same command run again completes it, and changes nothing for readers where it had been completed.
 */
export async function runTradeImport(job: TradeImportJob): Promise<number> {
  const rejects = new RejectsFile(job.rejects);
  if (resolve(rejects.path) === resolve(job.file)) {
    throw new OperatorError("--rejects names the file that is imported. Name another one.");
  }
  await rejects.check();
  const startedAt = job.clock();
  const run = await importAll(job, rejects);
  return report(run, job, job.clock() - startedAt);
}
