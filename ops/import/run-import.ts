import { resolve } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { exitCodes, OperatorError } from "../terminal/operator-error.ts";
import { type Description, lookAt } from "./first-look.ts";
import type { Source } from "./open-source.ts";
import { showProgress } from "./progress.ts";
import { type Line, readLines } from "./read-lines.ts";
import { RejectsFile, type RemarkKind } from "./rejects-file.ts";
import { stopOnInterrupt } from "./stop-on-interrupt.ts";
import { type Flow, inThousands, lineCount, newFlow, newTally, summarise, type Tally } from "./tally.ts";

const REFUSALS_SHOWN_MAX = 3;

/** What writing lines has to tell, whatever they hold. */
export interface LineSink {
  /** Told of each refused line. */
  readonly onRefused: (lineNumber: number, reason: string) => Promise<void>;
  /** Told of each line that was stored and that somebody should look at. */
  readonly onRemark: (lineNumber: number, reason: string, kind?: RemarkKind) => Promise<void>;
  /** Counts the outcomes, each once it is certain; read by the progress display meanwhile. */
  readonly tally: Tally;
  /** Counts what is on its way. */
  readonly flow: Flow;
  /** Aborted by Ctrl-C, and by the writing itself when the store fails. */
  readonly stop: AbortController;
}

export interface ImportJob {
  /** The file to import, or `-` for standard input. */
  readonly file: string;
  /** Where refused lines and remarks are listed. */
  readonly rejects: string;
  readonly open: (file: string, stop: AbortSignal) => Promise<Source>;
  /** Called before the first line is written, if there is one; the import ends with what it throws. */
  readonly begin?: () => Promise<void>;
  /** Writes every line, and returns when none is under way any more. Throws the first fault of store or file. */
  readonly writeLines: (lines: AsyncIterable<Line>, sink: LineSink) => Promise<void>;
  /** More to say after the counts, once all is written. */
  readonly remarks?: () => readonly string[];
  /** What a file looks like, by its beginning, all of whose lines were refused. */
  readonly describe: (head: string) => Description | undefined;
  /** Whether nothing is stored. */
  readonly isRehearsal: boolean;
  /** What the lines hold, in the plural. */
  readonly records: string;
  readonly clock: Clock;
}

/** Where an import lists its refused lines unless it was told. */
export const defaultRejectsPath = (file: string): string =>
  file === "-" ? "./import.rejects.ndjson" : `${file}.rejects.ndjson`;

/** What a run leaves behind, for its closing report. */
interface Run {
  readonly tally: Tally;
  readonly firstRefusals: readonly string[];
  readonly hasRemarks: boolean;
  readonly head: string;
  readonly hasBegun: boolean;
  readonly interrupted: boolean;
  readonly fault: unknown;
}

function report(run: Run, job: ImportJob, tookMs: number): number {
  const { tally } = run;
  console.log(summarise(tally, tookMs));
  for (const remark of job.remarks?.() ?? []) console.log(remark);
  if (job.isRehearsal) console.log("This was a dry run: nothing was stored.");
  for (const refusal of run.firstRefusals) console.error(refusal);
  if (tally.refused > 0) console.error(`Refused lines, by number and reason: ${job.rejects}`);
  if (tally.unusual > 0) console.error(`Unusual lines, by number and step: ${job.rejects}`);
  if (tally.corrected > 0) console.error(`Corrected lines, by number and what they replaced: ${job.rejects}`);
  if (tally.refused === 0 && run.hasRemarks) console.error(`Remarks, by line number: ${job.rejects}`);
  if (run.interrupted) {
    console.error("Stopped. Run the same command again to continue: nothing will be there twice.");
    return exitCodes.interrupted;
  }
  const description = hasFailed(run) ? job.describe(run.head) : undefined;
  if (description !== undefined) console.error(description.text);
  if (run.fault !== undefined) throw run.fault;
  if (description?.isOtherForm === true) return exitCodes.failed;
  return tally.refused > 0 ? exitCodes.someRefused : exitCodes.done;
}

/** Whether nothing of the file was good. */
const hasFailed = ({ tally, fault }: Run): boolean =>
  tally.refused === lineCount(tally) && (tally.refused > 0 || fault !== undefined);

/** The file of refusals and remarks, and what of it is told on the terminal. */
function journalOf(rejects: RejectsFile) {
  const firstRefusals: string[] = [];
  let hasRemarks = false;
  const note = async (kind: RemarkKind, line: number, reason: string): Promise<void> => {
    if (kind === "remark") hasRemarks = true;
    else if (kind === "refused" && firstRefusals.length < REFUSALS_SHOWN_MAX)
      firstRefusals.push(`Line ${line} was refused: ${reason}`);
    await rejects.add(line, reason, kind);
  };
  return {
    firstRefusals,
    hasRemarks: () => hasRemarks,
    onRefused: (line: number, reason: string) => note("refused", line, reason),
    onRemark: (line: number, reason: string, kind: RemarkKind = "remark") => note(kind, line, reason),
  };
}

/** Answers Ctrl-C at once; the line begins anew, because a bar may stand where it would. */
const answerInterrupt = ({ inFlight }: Readonly<Flow>, records: string): void =>
  console.error(
    `\nStopping: finishing ${inThousands(inFlight)} ${records}, for half a minute at most; Ctrl-C again stops now.`,
  );

/** Lines, counted as they come; `begin` is called before the first. */
async function* counted(
  lines: AsyncIterable<Line>,
  flow: Flow,
  begin: () => Promise<void>,
): AsyncGenerator<Line> {
  for await (const line of lines) {
    if (flow.read === 0) await begin();
    flow.read += 1;
    yield line;
  }
}

async function writeAll(job: ImportJob, rejects: RejectsFile): Promise<Run> {
  const stop = new AbortController();
  const { source, head } = lookAt(await job.open(job.file, stop.signal));
  const [tally, flow, journal] = [newTally(), newFlow(), journalOf(rejects)];
  const interrupt = stopOnInterrupt(stop, job.clock, () => answerInterrupt(flow, job.records));
  await using shown = new AsyncDisposableStack();
  const begin = async () => {
    await job.begin?.();
    shown.defer(showProgress({ source, tally, flow }, job.clock));
  };
  let fault: unknown;
  const keepFault = (error: unknown) => {
    fault ??= error;
  };
  const lines = counted(readLines(source.chunks), flow, begin);
  const { onRefused, onRemark, firstRefusals, hasRemarks } = journal;
  await job.writeLines(lines, { onRefused, onRemark, tally, flow, stop }).catch(keepFault);
  await rejects.close().catch(keepFault);
  interrupt.forget();
  return {
    tally,
    firstRefusals,
    hasRemarks: hasRemarks(),
    head: head(),
    hasBegun: flow.read > 0,
    interrupted: interrupt.happened(),
    fault,
  };
}

/**
 * Imports a file of lines and prints what became of them. Returns the exit code: 0 when all is stored, 1 when lines were
 * refused, 130 after Ctrl-C. Throws, after the summary, when the store or the file failed on the way. However it ended,
 * the same command run again completes it, and changes nothing for readers where it had been completed.
 */
export async function runImport(job: ImportJob): Promise<number> {
  const rejects = new RejectsFile(job.rejects, { isShared: job.file === "-" });
  if (resolve(rejects.path) === resolve(job.file)) {
    throw new OperatorError("--rejects names the file that is imported. Name another one.");
  }
  await rejects.check();
  const startedAt = job.clock();
  const run = await writeAll(job, rejects);
  if (run.fault !== undefined && !run.hasBegun) throw run.fault;
  return report(run, job, job.clock() - startedAt);
}

/** What ends an import whose lines are refused one like the other. */
export const hopelessFile = (): OperatorError =>
  new OperatorError(
    "The first 1,000 lines were refused, and not one was good: the rest of the file was not read.",
  );
