import { once } from "node:events";
import { CountinghouseError } from "../../client/src/index.ts";
import { systemClock } from "../../lib/clock.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { printJson } from "../terminal/json-output.ts";
import { outputLost } from "../terminal/standard-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import type { Connection } from "./connection.ts";
import { download, exists, forgetDownload } from "./download.ts";
import { downloadReport, reportOf } from "./download-report.ts";
import { type Format, pathsOf } from "./download-state.ts";
import { Declined, DownloadWatch } from "./download-watch.ts";
import { explained } from "./failures.ts";
import { lineFormats } from "./line-formats.ts";
import type { Content } from "./manifest.ts";
import type { Question } from "./question.ts";
import { readerOf } from "./question-reader.ts";

/** A download as the command line asks for it. */
export interface DownloadRequest {
  readonly connection: Connection;
  readonly question: Question;
  /** The options as they were given. */
  readonly given: string;
  readonly format: Format;
  /** The path of the result; undefined for standard output. */
  readonly output: string | undefined;
  readonly isFresh: boolean;
  /** Whether a long download begins without a question. */
  readonly isAgreed: boolean;
  /** Whether the closing report is JSON. */
  readonly json: boolean;
}

/**
 * Downloads to a file or to standard output, with an estimate and progress on standard error.
 *
 * @returns the exit code.
 * @throws {OperatorError}
 */
export async function runDownload(request: DownloadRequest): Promise<number> {
  if (request.json && request.output === undefined)
    throw new OperatorError(
      "--json goes with --output: without it, standard output has the records themselves.",
    );
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => console.error("\nStopping …"));
  // Records that a terminal shows are progress enough, and a bar between them would be in the way.
  const isShown = request.output === undefined && process.stdout.isTTY;
  const watch = new DownloadWatch({ ...request, hasDisplay: !isShown });
  try {
    await (request.output === undefined
      ? toOutput(request, watch, AbortSignal.any([stop.signal, outputLost()]))
      : toFile(request, request.output, watch, stop.signal));
    return exitCodes.done;
  } catch (error) {
    watch.end();
    if (outputLost().aborted) return exitCodes.done;
    if (!stop.signal.aborted) throw continuable(explained(error), request);
    console.error(
      watch.told === undefined
        ? "Stopped before the first page."
        : `Stopped after ${watch.told}.${wayOn(request)}`,
    );
    return exitCodes.interrupted;
  } finally {
    interrupt.forget();
  }
}

const wayOn = ({ output }: DownloadRequest): string =>
  output === undefined ? "" : ` ${terminalText(pathsOf(output).part)} has them; the same command goes on.`;

/** A failure with the way to go on, where something was kept. */
function continuable(error: unknown, request: DownloadRequest): unknown {
  if (request.output === undefined || !(error instanceof OperatorError)) return error;
  if (!(error.cause instanceof CountinghouseError || error instanceof Declined)) return error;
  return new OperatorError(`${error.message} The same command goes on where this one ended.`, error.cause);
}

async function toFile(
  request: DownloadRequest,
  output: string,
  watch: DownloadWatch,
  signal: AbortSignal,
): Promise<void> {
  const { connection, question, given, format, isFresh } = request;
  if (isFresh) await forgetDownload(output);
  else await requireNew(output);
  const content = await download({
    output,
    format,
    url: connection.url,
    given,
    question,
    readerOf: (asked) => readerOf(connection, asked),
    signal,
    clock: systemClock,
    onState: (state) => watch.see(state),
  });
  watch.end();
  if (request.json) printJson(downloadReport, reportOf(output, pathsOf(output).manifest, content));
  else console.error(summary(content, request, output));
}

/** A finished file is not replaced by mistake. */
async function requireNew(output: string): Promise<void> {
  if (!(await exists(output)) || (await exists(pathsOf(output).state))) return;
  throw new OperatorError(`${output} is there already. Give another --output, or --fresh to replace it.`);
}

function summary(content: Content, { question }: DownloadRequest, output: string): string {
  const { records, first, last, sha256 } = content;
  const span =
    first === undefined || last === undefined ? "" : `, from ${first.instant} down to ${last.instant}`;
  return `${inThousands(records)} ${question.get}${span}.\n${terminalText(output)} has them, sha256 ${sha256}.`;
}

/** Writes the records as they are read. A reader that is slower than the service is waited for. */
async function toOutput(
  { connection, question, format }: DownloadRequest,
  watch: DownloadWatch,
  signal: AbortSignal,
): Promise<void> {
  if (format === "parquet") throw new OperatorError("Parquet needs a file: give --output FILE.");
  const { head, body } = lineFormats[format];
  const reader = readerOf(connection, question);
  const write = async (text: string): Promise<void> => {
    const isShown = process.stdout.isTTY;
    if (!process.stdout.write(isShown ? text.replaceAll(/[^\r\n]+/g, terminalText) : text))
      await once(process.stdout, "drain", { signal });
  };
  await write(head(reader.dataset));
  let records = 0;
  for await (const page of reader.read({ position: undefined, limit: question.limit, signal })) {
    await write(page.records.map(({ line }) => body(reader.dataset, line)).join(""));
    records += page.records.length;
    await watch.see({ asked: question, written: { records }, ...page, isComplete: page.isLast });
  }
  watch.end();
}
