import { systemClock } from "../../lib/clock.ts";
import { LineRun, type NoteKind } from "../../local/records/line-run.ts";
import { type Line, readLines } from "../../local/records/read-lines.ts";
import { inThousands, lineCount, type Tally } from "../../local/records/tally.ts";
import { type GivenOf, takes } from "../command.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { callersPath } from "../store/store-options.ts";
import { type Description, describeFile, lookAt, requireLines } from "./first-look.ts";
import type { ImportOutcome } from "./journal/import-register.ts";
import { openSource } from "./open-source.ts";
import { showProgress } from "./progress.ts";
import { RejectsFile } from "./rejects-file.ts";
import { openTrades } from "./trades/open-zip.ts";

const REFUSALS_SHOWN_MAX = 3;

/** A file of records that is imported or sent. */
export interface RecordFile {
  /** Its path, or `-` for standard input. */
  readonly path: string;
  /** The file that lists refused lines and remarks. */
  readonly rejects: string;
  readonly holds: "records" | "trades";
  /** What its lines are taken for: the name of a `--format`, or of a kind of records. */
  readonly format: string;
}

/** What every command on a file of records takes. */
export const fileTakes = takes({
  "<file>": "the file, or - for standard input",
  "--rejects <path>": "the file for refused lines and remarks (default: <file>.rejects.ndjson)",
});

/** For imports of records in the contract's shape. */
export const DROP_UNKNOWN = takes({
  "--drop-unknown": "leave out members that the contract does not have, instead of refusing the line",
});

/** A file as the command line names it. */
export const recordFile = (
  { file, rejects }: GivenOf<typeof fileTakes>,
  of: Pick<RecordFile, "holds" | "format">,
): RecordFile => ({
  path: file === "-" ? file : callersPath(file),
  rejects: callersPath(rejects ?? (file === "-" ? "./import.rejects.ndjson" : `${file}.rejects.ndjson`)),
  ...of,
});

/** What is done with the lines of a file. */
export interface FileWork {
  /** Called before the first line is handed over, if there is one. An error that it throws ends the run. */
  readonly begin?: () => Promise<void>;
  /** Resolves when no write is under way. Throws the first fault of the store or the file. */
  readonly write: (lines: AsyncIterable<Line>, run: LineRun) => Promise<void>;
  /** Called once nothing is under way. */
  readonly end?: (outcome: ImportOutcome, tally: Readonly<Tally>) => Promise<void>;
  /** For how long Ctrl-C may wait for the writes under way, as a text. */
  readonly waits?: string;
}

/** What became of a file. */
export interface FileEnd {
  readonly run: LineRun;
  readonly outcome: ImportOutcome;
  /** The first fault of the store or the file. */
  readonly fault: unknown;
  readonly firstRefusals: readonly string[];
  /** Whether the rejects file lists anything. */
  readonly isListed: boolean;
  readonly hasRemarks: boolean;
  /** A guess at what the file holds, if no line of it was good. */
  readonly description: Description | undefined;
  readonly tookMs: number;
}

/** Lists lines in the rejects file, and keeps the first refusals for the terminal. */
function notesIn(rejects: RejectsFile) {
  const kinds = new Set<NoteKind>();
  const firstRefusals: string[] = [];
  const note = async (line: number, kind: NoteKind, reason: string): Promise<void> => {
    kinds.add(kind);
    if (kind === "refused" && firstRefusals.length < REFUSALS_SHOWN_MAX)
      firstRefusals.push(`Line ${line} was refused: ${reason}`);
    await rejects.add(line, kind, reason);
  };
  return { note, firstRefusals, kinds };
}

/** The lines, counted as they are read; `begin` is called before the first. */
async function* counted(
  lines: AsyncIterable<Line>,
  run: LineRun,
  begin: () => Promise<void>,
): AsyncGenerator<Line> {
  for await (const line of lines) {
    if (run.read === 0) {
      if ("text" in line) requireLines(line.text);
      await begin();
    }
    run.read += 1;
    yield line;
  }
}

/**
 * Reads a file, and has its lines written. What happens on the way is not thrown: the end has it, so that a caller can
 * tell how far it came. The same command run again completes what was stopped or failed.
 *
 * @throws {OperatorError} when the file cannot be opened, and when its rejects file cannot be written.
 */
export async function readFile(file: RecordFile, work: FileWork): Promise<FileEnd> {
  const { path, holds, format } = file;
  const rejects = new RejectsFile(file.rejects, path);
  await rejects.check();
  const startedAt = systemClock();
  const { note, firstRefusals, kinds } = notesIn(rejects);
  const run = new LineRun(note);
  const { source, head } = lookAt(
    await (holds === "trades" ? openTrades : openSource)(path, run.stop.signal),
  );
  // On a new line, because a progress bar may stand on the current one.
  const interrupt = stopOnInterrupt(run.stop, systemClock, () =>
    console.error(
      `\nStopping: finishing ${inThousands(run.inFlight)} ${holds}${work.waits ?? ""}; Ctrl-C again stops now.`,
    ),
  );
  await using shown = new AsyncDisposableStack();
  const begin = async (): Promise<void> => {
    await work.begin?.();
    shown.defer(showProgress({ source, run }, systemClock));
  };
  let fault: unknown;
  const keepFault = (error: unknown): void => {
    fault ??= error;
  };
  const outcome = () => (interrupt.happened() ? "stopped" : fault === undefined ? "done" : "failed");
  await work.write(counted(readLines(source.chunks), run, begin), run).catch(keepFault);
  await rejects.close().catch(keepFault);
  await work.end?.(outcome(), run.tally).catch(keepFault);
  interrupt.forget();
  const { refused } = run.tally;
  const isBad = refused === lineCount(run.tally) && (refused > 0 || fault !== undefined);
  return {
    run,
    outcome: outcome(),
    fault,
    firstRefusals,
    isListed: kinds.size > 0,
    hasRemarks: kinds.has("remark"),
    description: isBad ? describeFile(head(), format) : undefined,
    tookMs: systemClock() - startedAt,
  };
}
