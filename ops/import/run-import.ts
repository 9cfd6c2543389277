import { resolve } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { type Line, readLines } from "../../local/records/read-lines.ts";
import {
  type Flow,
  inThousands,
  lineCount,
  newFlow,
  newTally,
  summarise,
  type Tally,
} from "../../local/records/tally.ts";
import type { LineSink, RemarkKind } from "../../local/records/write-lines.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { printJson } from "../terminal/json-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { type Description, lookAt, requireLines } from "./first-look.ts";
import { type ImportOutcome, importReport, reportOf } from "./import-report.ts";
import type { ImportJournal } from "./journal/import-journal.ts";
import type { Source } from "./open-source.ts";
import { showProgress } from "./progress.ts";
import { RejectsFile } from "./rejects-file.ts";

const REFUSALS_SHOWN_MAX = 3;

export interface ImportJob {
  /** The file to import, or `-` for standard input. */
  readonly file: string;
  /** The file that lists refused lines and remarks. */
  readonly rejects: string;
  readonly open: (file: string, stop: AbortSignal) => Promise<Source>;
  /** Called before the first line is written, if there is one; an error that it throws ends the import. */
  readonly begin?: () => Promise<void>;
  /** Writes every line, and resolves when no write is under way. Throws the first fault of the store or the file. */
  readonly writeLines: (lines: AsyncIterable<Line>, sink: LineSink) => Promise<void>;
  /** Called once after `begin`, when no write is under way. What it throws is told after the closing report. */
  readonly end?: (outcome: ImportOutcome, tally: Readonly<Tally>) => Promise<void>;
  /** Further lines of the closing report, which follow the counts. */
  readonly remarks?: () => readonly string[];
  /** Whether the closing report is JSON. */
  readonly json?: boolean;
  /** Guesses by its beginning what a file holds whose lines were all refused. */
  readonly describe: (head: string) => Description | undefined;
  /** Whether nothing is stored. */
  readonly isRehearsal: boolean;
  /** The journal by which the import can be taken back. */
  readonly journal?: ImportJournal | undefined;
  /** The plural noun for what the lines hold, as in "records". */
  readonly records: string;
  readonly clock: Clock;
}

/** The rejects file of an import without `--rejects`. */
export const defaultRejectsPath = (file: string): string =>
  file === "-" ? "./import.rejects.ndjson" : `${file}.rejects.ndjson`;

/** The results of a run, for its closing report. */
interface Run {
  readonly tally: Tally;
  readonly firstRefusals: readonly string[];
  readonly hasRemarks: boolean;
  readonly head: string;
  readonly hasBegun: boolean;
  readonly interrupted: boolean;
  readonly fault: unknown;
  /** The import's id; undefined when nothing was stored. */
  readonly importId: string | undefined;
}

const outcomeOf = ({ interrupted, fault }: Pick<Run, "interrupted" | "fault">): ImportOutcome =>
  interrupted ? "stopped" : fault === undefined ? "done" : "failed";

function printSummary(run: Run, job: ImportJob, tookMs: number): void {
  const remarks = job.remarks?.() ?? [];
  const { tally, hasRemarks, importId } = run;
  if (job.json === true) {
    const listed = tally.refused + tally.unusual + tally.corrected > 0 || hasRemarks;
    const rejects = listed ? job.rejects : null;
    printJson(
      importReport,
      reportOf({
        importId: importId ?? null,
        outcome: outcomeOf(run),
        dryRun: job.isRehearsal,
        tally,
        tookMs,
        rejects,
        remarks,
      }),
    );
    return;
  }
  console.log(summarise(tally, tookMs));
  for (const remark of remarks) console.log(remark);
  if (job.isRehearsal) console.log("This was a dry run: nothing was stored.");
  if (importId !== undefined)
    console.log(`${importId}: \`${commands.ops} import undo ${importId}\` takes this import back.`);
}

function report(run: Run, job: ImportJob, tookMs: number): number {
  const { tally } = run;
  const rejects = terminalText(job.rejects);
  printSummary(run, job, tookMs);
  for (const refusal of run.firstRefusals) console.error(refusal);
  if (tally.refused > 0) console.error(`Refused lines, by number and reason: ${rejects}`);
  if (tally.unusual > 0) console.error(`Unusual lines, by number and step: ${rejects}`);
  if (tally.corrected > 0) console.error(`Corrected lines, by number and what they replaced: ${rejects}`);
  if (tally.refused === 0 && run.hasRemarks) console.error(`Remarks, by line number: ${rejects}`);
  if (run.interrupted) {
    console.error("Stopped. Run the same command again to continue: no record will be stored twice.");
    if (run.fault instanceof OperatorError) console.error(run.fault.message);
    return exitCodes.interrupted;
  }
  const description = hasFailed(run) ? job.describe(run.head) : undefined;
  if (description !== undefined) console.error(description.text);
  if (run.fault !== undefined) throw run.fault;
  if (description?.isOtherForm === true) return exitCodes.failed;
  return tally.refused + tally.double + tally.missed > 0 ? exitCodes.someRefused : exitCodes.done;
}

/** Whether no line of the file was good. */
const hasFailed = ({ tally, fault }: Run): boolean =>
  tally.refused === lineCount(tally) && (tally.refused > 0 || fault !== undefined);

/** Lists refusals and remarks in the rejects file, and keeps the first refusals for the terminal. */
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

/** Answers Ctrl-C at once, on a new line, because a progress bar may stand on the current one. */
const answerInterrupt = ({ inFlight }: Readonly<Flow>, records: string): void =>
  console.error(
    `\nStopping: finishing ${inThousands(inFlight)} ${records}, for half a minute at most; Ctrl-C again stops now.`,
  );

/** The lines, counted as they are read; `begin` is called before the first. */
async function* counted(
  lines: AsyncIterable<Line>,
  flow: Flow,
  begin: () => Promise<void>,
): AsyncGenerator<Line> {
  for await (const line of lines) {
    if (flow.read === 0) {
      if ("text" in line) requireLines(line.text);
      await begin();
    }
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
  const outcome = outcomeOf({ fault, interrupted: interrupt.happened() });
  await job.journal?.end(outcome, tally).catch(keepFault);
  interrupt.forget();
  return {
    tally,
    firstRefusals,
    hasRemarks: hasRemarks(),
    head: head(),
    hasBegun: flow.read > 0,
    interrupted: interrupt.happened(),
    fault,
    importId: await job.journal?.id(),
  };
}

/**
 * Imports a file of lines and prints a summary. Returns the exit code: 0 when all lines are stored, 1 when some were
 * refused, 2 when the file does not hold one record a line, 130 after Ctrl-C. Throws after the summary when the store
 * or the file failed. The same command run again completes the import; a complete one changes nothing for readers.
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
  const tookMs = job.clock() - startedAt;
  const unrecorded = run.hasBegun ? await faultOf(job.end?.(outcomeOf(run), run.tally)) : undefined;
  if (unrecorded instanceof Error) console.error(unrecorded.message);
  const code = report(run, job, tookMs);
  return unrecorded === undefined ? code : exitCodes.failed;
}

/** The error that a promise ends with; undefined when it is kept. */
const faultOf = async (kept: Promise<void> | undefined): Promise<unknown> => {
  try {
    await kept;
    return undefined;
  } catch (error) {
    return error;
  }
};
