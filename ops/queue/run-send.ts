import { resolve } from "node:path";
import * as z from "zod/mini";
import type { Clock } from "../../lib/clock.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { type Line, readLines } from "../../local/records/read-lines.ts";
import { type Flow, inThousands, linesPerSecond, newFlow, newTally } from "../../local/records/tally.ts";
import { type Description, lookAt, requireLines } from "../import/first-look.ts";
import type { Source } from "../import/open-source.ts";
import { showProgress } from "../import/progress.ts";
import { RejectsFile } from "../import/rejects-file.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { printJson } from "../terminal/json-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { RecordSender, type RecordSending } from "./send-records.ts";

const REFUSALS_SHOWN_MAX = 3;

export interface SendJob extends Pick<RecordSending, "head" | "read" | "fromLine" | "send"> {
  /** The file to send, or `-` for standard input. */
  readonly file: string;
  /** The file that lists refused lines. */
  readonly rejects: string;
  readonly open: (file: string, stop: AbortSignal) => Promise<Source>;
  /** Guesses by its beginning what a file holds whose lines were all refused. */
  readonly describe: (head: string) => Description | undefined;
  /** Whether lines are checked and nothing is sent. */
  readonly isRehearsal: boolean;
  /** Whether the report is JSON. */
  readonly json: boolean;
  readonly clock: Clock;
}

/** The report of `send` as JSON. */
export const sendReport = z.object({
  sent: z.number(),
  messages: z.number(),
  refused: z.number(),
  skipped: z.number(),
  dryRun: z.boolean(),
  /** The file that lists the refused lines; null when none was refused. */
  rejects: z.nullable(z.string()),
  /** The first line that may not have been sent; null when all were. */
  nextLine: z.nullable(z.number()),
  tookMs: z.number(),
});

type Report = z.infer<typeof sendReport>;

/** How a run ended. */
export interface SendOutcome {
  readonly report: Report;
  readonly interrupted: boolean;
  readonly fault: unknown;
}

/** Answers Ctrl-C at once, on a new line, because a progress bar may stand on the current one. */
const answerInterrupt = ({ inFlight }: Readonly<Flow>): void =>
  console.error(`\nStopping: finishing ${inThousands(inFlight)} records; Ctrl-C again stops now.`);

/** The lines, counted as they are read. */
async function* counted(lines: AsyncIterable<Line>, flow: Flow): AsyncGenerator<Line> {
  for await (const line of lines) {
    if (flow.read === 0 && "text" in line) requireLines(line.text);
    flow.read += 1;
    yield line;
  }
}

/** The refused lines: all of them in the rejects file, the first for the terminal. */
function refusalsOf(rejects: RejectsFile) {
  const first: string[] = [];
  const onRefused = async (line: number, reason: string): Promise<void> => {
    if (first.length < REFUSALS_SHOWN_MAX) first.push(`Line ${line} was refused: ${reason}`);
    await rejects.add(line, reason);
  };
  return { first, onRefused };
}

/**
 * Checks the lines of a file and sends their records in messages. It never throws for what happens on the way: the
 * outcome has the fault, so that a caller can note how far it came.
 *
 * @throws {OperatorError} when the rejects file cannot be written, and when the file cannot be opened or read.
 */
export async function sendFile(job: SendJob): Promise<SendOutcome> {
  const rejects = new RejectsFile(job.rejects, { isShared: job.file === "-" });
  if (resolve(rejects.path) === resolve(job.file))
    throw new OperatorError("--rejects names the file that is sent. Name another one.");
  await rejects.check();
  const stop = new AbortController();
  const startedAt = job.clock();
  const { source, head } = lookAt(await job.open(job.file, stop.signal));
  const [tally, flow, refusals] = [newTally(), newFlow(), refusalsOf(rejects)];
  const sender = new RecordSender({ ...job, tally, flow, stop, onRefused: refusals.onRefused });
  const interrupt = stopOnInterrupt(stop, job.clock, () => answerInterrupt(flow));
  const endProgress = showProgress({ source, tally, flow }, job.clock);
  let fault: unknown;
  const keepFault = (error: unknown) => {
    fault ??= error;
  };
  await sender.run(counted(readLines(source.chunks), flow)).catch(keepFault);
  await rejects.close().catch(keepFault);
  interrupt.forget();
  endProgress();
  if (fault !== undefined && flow.read === 0) throw fault;
  const isWhole = fault === undefined && !interrupt.happened();
  for (const refusal of refusals.first) console.error(refusal);
  if (tally.refused > 0 && tally.written === 0) tellForm(job, head());
  const report = {
    sent: tally.written,
    messages: sender.messageCount,
    refused: tally.refused,
    skipped: flow.passedOver,
    dryRun: job.isRehearsal,
    rejects: tally.refused > 0 ? job.rejects : null,
    nextLine: isWhole ? null : sender.nextLine,
    tookMs: job.clock() - startedAt,
  };
  return { report, interrupted: interrupt.happened(), fault };
}

function tellForm({ describe }: SendJob, head: string): void {
  const description = describe(head);
  if (description !== undefined) console.error(description.text);
}

/**
 * Prints the closing report. Returns the exit code: 0 when all records were sent, 1 when some lines were refused, 130
 * after Ctrl-C. Throws the fault of the queues or the file after it has said from which line to go on.
 */
export function closeSend({ report, interrupted, fault }: SendOutcome, json: boolean): number {
  if (json) printJson(sendReport, report);
  else for (const line of reportLines(report)) console.log(line);
  const { refused, rejects, nextLine, dryRun } = report;
  if (rejects !== null) console.error(`Refused lines, by number and reason: ${terminalText(rejects)}`);
  if (nextLine !== null && !dryRun)
    console.error(`Stopped before the end: go on with the same command and --from-line ${nextLine}.`);
  if (fault !== undefined) throw fault;
  if (interrupted) return exitCodes.interrupted;
  return refused > 0 ? exitCodes.someRefused : exitCodes.done;
}

function reportLines({ sent, messages, refused, skipped, dryRun, tookMs }: Report): readonly string[] {
  const rows = [
    [dryRun ? "good" : "sent", sent],
    ["refused", refused],
    ["skipped", skipped],
  ] as const;
  const shown = rows.filter(([name, count]) => name !== "skipped" || count > 0);
  const table = shown.map(([name, count]) => `${name.padEnd(12)}${inThousands(count).padStart(14)}`);
  const seconds = `${(tookMs / 1_000).toFixed(1)} s`;
  const speed = `in ${seconds}, ${inThousands(linesPerSecond(sent, tookMs))} per second`;
  return dryRun
    ? [...table, `This was a dry run: nothing was sent. It would be ${inThousands(messages)} messages.`]
    : [...table, `${inThousands(messages)} messages, ${speed}.`];
}
