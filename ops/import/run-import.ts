import { resolve } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { exitCodes, OperatorError } from "../operator-error.ts";
import type { Source } from "./open-source.ts";
import { showProgress } from "./progress.ts";
import { type Line, readLines } from "./read-lines.ts";
import { RejectsFile, type RemarkKind } from "./rejects-file.ts";
import { stopOnInterrupt } from "./stop-on-interrupt.ts";
import { newTally, summarise, type Tally } from "./tally.ts";

const REFUSALS_SHOWN_MAX = 3;

/** What writing lines has to tell, whatever they hold. */
export interface LineSink {
  /** Told of each refused line. */
  readonly onRefused: (lineNumber: number, reason: string) => Promise<void>;
  /** Told of each line that was stored and that somebody should look at. */
  readonly onRemark: (lineNumber: number, reason: string, kind: RemarkKind) => Promise<void>;
  /** Counts the outcomes, each once it is certain; read by the progress display meanwhile. */
  readonly tally: Tally;
  /** Aborted by Ctrl-C, and by the writing itself when the store fails. */
  readonly stop: AbortController;
}

export interface ImportJob {
  /** The file to import, or `-` for standard input. */
  readonly file: string;
  /** Where refused lines are listed. */
  readonly rejects: string;
  readonly open: (file: string, stop: AbortSignal) => Promise<Source>;
  /** Writes every line, and returns when none is under way any more. Throws the first fault of store or file. */
  readonly writeLines: (lines: AsyncIterable<Line>, sink: LineSink) => Promise<void>;
  /** More to say after the counts, once all is written. */
  readonly remarks?: () => readonly string[];
  readonly clock: Clock;
}

/** Where an import lists its refused lines unless it was told. */
export const defaultRejectsPath = (file: string): string =>
  file === "-" ? "./import.rejects.ndjson" : `${file}.rejects.ndjson`;

/** What a run leaves behind, for its closing report. */
interface Run {
  readonly tally: Tally;
  readonly firstRefusals: readonly string[];
  readonly interrupted: boolean;
  readonly fault: unknown;
}

function report(run: Run, { rejects, remarks }: ImportJob, tookMs: number): number {
  console.log(summarise(run.tally, tookMs));
  for (const remark of remarks?.() ?? []) console.log(remark);
  for (const refusal of run.firstRefusals) console.error(refusal);
  if (run.tally.refused > 0) console.error(`Refused lines, by number and reason: ${rejects}`);
  if (run.tally.unusual > 0) console.error(`Unusual lines, by number and step: ${rejects}`);
  if (run.tally.corrected > 0) console.error(`Corrected lines, by number and what they replaced: ${rejects}`);
  if (run.interrupted) {
    console.error("Stopped. Run the same command again to continue: nothing will be there twice.");
    return exitCodes.interrupted;
  }
  if (run.fault !== undefined) throw run.fault;
  return run.tally.refused > 0 ? exitCodes.someRefused : exitCodes.done;
}

async function writeAll(job: ImportJob, rejects: RejectsFile): Promise<Run> {
  const stop = new AbortController();
  const source = await job.open(job.file, stop.signal);
  const tally = newTally();
  const firstRefusals: string[] = [];
  const onRefused = async (line: number, reason: string) => {
    if (firstRefusals.length < REFUSALS_SHOWN_MAX) firstRefusals.push(`Line ${line} was refused: ${reason}`);
    await rejects.add(line, reason);
  };
  const onRemark = (line: number, reason: string, kind: RemarkKind) => rejects.add(line, reason, kind);
  const interrupt = stopOnInterrupt(stop, job.clock);
  const hideProgress = showProgress(source, tally, job.clock);
  let fault: unknown;
  const keepFault = (error: unknown) => {
    fault ??= error;
  };
  await job.writeLines(readLines(source.chunks), { onRefused, onRemark, tally, stop }).catch(keepFault);
  await rejects.close().catch(keepFault);
  hideProgress();
  interrupt.forget();
  return { tally, firstRefusals, interrupted: interrupt.happened(), fault };
}

/**
 * Imports a file of lines and prints what became of them. Returns the exit code: 0 when all is stored, 1 when lines were
 * refused, 130 after Ctrl-C. Throws, after the summary, when the store or the file failed on the way. However it ended,
 * the same command run again completes it, and changes nothing for readers where it had been completed.
 */
export async function runImport(job: ImportJob): Promise<number> {
  const rejects = new RejectsFile(job.rejects);
  if (resolve(rejects.path) === resolve(job.file)) {
    throw new OperatorError("--rejects names the file that is imported. Name another one.");
  }
  await rejects.check();
  const startedAt = job.clock();
  const run = await writeAll(job, rejects);
  return report(run, job, job.clock() - startedAt);
}
