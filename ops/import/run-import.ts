import { resolve } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { exitCodes, OperatorError } from "../operator-error.ts";
import { openSource } from "./open-source.ts";
import { showProgress } from "./progress.ts";
import { readLines } from "./read-lines.ts";
import { RejectsFile } from "./rejects-file.ts";
import { stopOnInterrupt } from "./stop-on-interrupt.ts";
import { newTally, summarise, type Tally } from "./tally.ts";
import { writeLines } from "./write-lines.ts";

const REFUSALS_SHOWN_MAX = 3;

export interface ImportJob {
  /** The file to import, or `-` for standard input. */
  readonly file: string;
  /** Where refused lines are listed. */
  readonly rejects: string;
  /** Writes one document; throws only on trouble with the store. */
  readonly write: (text: string) => Promise<WriteOutcome>;
  readonly clock: Clock;
}

/** Where an import lists its refused lines unless it was told. */
export const defaultRejectsPath = (file: string): string =>
  file === "-" ? "./import.rejects.ndjson" : `${file}.rejects.ndjson`;

/** What a run leaves behind, for its closing report. */
interface Run {
  readonly tally: Tally;
  readonly firstRefusals: readonly string[];
  readonly rejectsPath: string;
  readonly interrupted: boolean;
  readonly fault: unknown;
}

function report(run: Run, tookMs: number): number {
  console.log(summarise(run.tally, tookMs));
  for (const refusal of run.firstRefusals) console.error(refusal);
  if (run.tally.refused > 0) console.error(`Refused lines, by number and reason: ${run.rejectsPath}`);
  if (run.interrupted) {
    console.error(
      "Stopped. Run the same command again to continue: what is stored already is not written twice.",
    );
    return exitCodes.interrupted;
  }
  if (run.fault !== undefined) throw run.fault;
  return run.tally.refused > 0 ? exitCodes.someRefused : exitCodes.done;
}

async function writeAll(job: ImportJob, rejects: RejectsFile): Promise<Run> {
  const stop = new AbortController();
  const source = await openSource(job.file, stop.signal);
  const tally = newTally();
  const firstRefusals: string[] = [];
  const onRefused = async (line: number, reason: string) => {
    if (firstRefusals.length < REFUSALS_SHOWN_MAX) firstRefusals.push(`Line ${line} was refused: ${reason}`);
    await rejects.add(line, reason);
  };
  const interrupt = stopOnInterrupt(stop, job.clock);
  const hideProgress = showProgress(source, tally, job.clock);
  let fault: unknown;
  try {
    await writeLines(readLines(source.chunks), { write: job.write, onRefused, tally, stop });
  } catch (error) {
    fault = error;
  }
  await rejects.close().catch((error: unknown) => {
    fault ??= error;
  });
  hideProgress();
  interrupt.forget();
  return { tally, firstRefusals, rejectsPath: rejects.path, interrupted: interrupt.happened(), fault };
}

/**
 * Imports a file of records, one JSON document a line, and prints what became of them. Returns the exit code: 0 when
 * all is stored, 1 when lines were refused, 130 after Ctrl-C. Throws, after the summary, when the store or the file
 * failed on the way. However it ended, the same command run again completes it.
 */
export async function runImport(job: ImportJob): Promise<number> {
  const rejects = new RejectsFile(job.rejects);
  if (resolve(rejects.path) === resolve(job.file)) {
    throw new OperatorError("--rejects names the file that is imported. Name another one.");
  }
  await rejects.check();
  const startedAt = job.clock();
  const run = await writeAll(job, rejects);
  return report(run, job.clock() - startedAt);
}
