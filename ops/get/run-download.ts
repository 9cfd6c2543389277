import * as z from "zod/mini";
import { CountinghouseError } from "../../client/src/index.ts";
import { systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { wholeNumber } from "../arguments/parse-count.ts";
import { type Context, type GivenOf, type Result, takes } from "../command.ts";
import { callersPath } from "../store/store-options.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { outputLost, writeOutput } from "../terminal/standard-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import type { Connection } from "./connection.ts";
import { download, forgetDownload } from "./download.ts";
import { type Content, formats, pathsOf, type Question } from "./download-files.ts";
import { Declined, DownloadWatch } from "./download-watch.ts";
import { explained } from "./failures.ts";
import { lineFormats } from "./line-formats.ts";
import { exists } from "./own-files.ts";
import { readerOf } from "./readers.ts";

/** What a finished download has, as JSON. */
export const downloadOutput = {
  shape: z.object({
    file: z.string(),
    manifest: z.string(),
    format: z.enum(formats),
    records: z.number(),
    bytes: z.number(),
    sha256: z.string(),
    /** The instants of the newest record and of the oldest; absent where there is none. */
    first: z.optional(jsonTime),
    last: z.optional(jsonTime),
  }),
  example: {
    file: "week.csv",
    manifest: "week.csv.manifest.json",
    format: "csv",
    records: 18_210,
    bytes: 1_900_412,
    sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    first: "2026-11-29T00:30:00.000Z",
    last: "2026-11-22T00:30:00.112Z",
  },
} as const;
type DownloadReport = z.input<typeof downloadOutput.shape>;

function reportOf(file: string, content: Content): DownloadReport {
  const { format, records, bytes, sha256, first, last } = content;
  const { manifest } = pathsOf(file);
  const about = { file, manifest, format, records, bytes, sha256 };
  return {
    ...about,
    ...(first !== undefined && { first: first.instant }),
    ...(last !== undefined && { last: last.instant }),
  };
}

/** The oldest instant of a download, in the words of every command that has one. */
export const FROM = "the oldest instant: a date, an instant, or a time ago such as 30d";

/** What a command that downloads records takes. */
export const downloadTakes = takes({
  "--format <name>": { text: "the format of the records", choices: formats, default: "ndjson" },
  "--output <file>": {
    text: "write to this file, with a manifest beside it, and go on after a stop",
    parse: callersPath,
  },
  "--limit <number>": { text: "the most records, the newest ones", parse: wholeNumber(1, 1_000_000_000) },
  "--fresh": "with --output: begin anew, and replace the file",
  "--yes": "begin a long download without asking",
});

/** Explains formats and files in a command's help. */
export const DOWNLOAD_HELP = `
Formats: ndjson has each record as it was sent; csv is RFC 4180 with a header; parquet has exact decimals and needs --output.
Where a text in csv begins with = + - @ or ', an apostrophe stands in front of it, so that a spreadsheet does not run it.

With --output, Ctrl-C or a kill leaves FILE.part and FILE.state.json, and the same command goes on after the last page that
was surely written. The finished FILE has FILE.manifest.json beside it; \`get verify\` reads all of it again and compares.
After the first page an estimate is given. If it is more than 10 minutes or 1,000,000 records, a person at a terminal is
asked first, unless --yes is given. --json goes with --output, and tells on standard output what FILE has; without --output,
standard output has the records themselves, and ndjson is the format for programs.`;

/** A download as the command line asks for it: to a file, or to standard output. */
interface DownloadRequest extends Pick<GivenOf<typeof downloadTakes>, "format" | "output" | "fresh" | "yes"> {
  readonly connection: Connection;
  readonly question: Question;
  /** The options as they were given. */
  readonly given: string;
  /** Whether the closing report is JSON. */
  readonly json: boolean;
}

/**
 * Downloads to a file or to standard output, with an estimate and progress on standard error.
 *
 * @throws {OperatorError}
 */
export async function runDownload(
  request: DownloadRequest,
  { stoppable }: Pick<Context<DownloadReport>, "stoppable">,
): Promise<Result<DownloadReport>> {
  const { output, yes: isAgreed, question } = request;
  if (request.json && output === undefined)
    throw new OperatorError(
      "--json goes with --output: without it, standard output has the records themselves.",
    );
  // Records that a terminal shows are progress enough, and a bar between them would be in the way.
  const isShown = output === undefined && process.stdout.isTTY;
  const watch = new DownloadWatch({ question, isAgreed, hasDisplay: !isShown });
  const result = await stoppable(async (stop) => {
    try {
      if (output !== undefined) return await toFile(request, output, watch, stop);
      await toOutput(request, watch, AbortSignal.any([stop, outputLost()]));
    } catch (error) {
      watch.end();
      if (!outputLost().aborted) throw continuable(explained(error), request);
    }
    return {};
  });
  if (result !== undefined) return result;
  const { told } = watch;
  const remark =
    told === undefined ? "Stopped before the first page." : `Stopped after ${told}.${wayOn(request)}`;
  return { remark };
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
): Promise<Result<DownloadReport>> {
  const { connection, question, given, format, fresh } = request;
  if (fresh) await forgetDownload(output);
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
  const remark = request.json ? undefined : summary(content, request, output);
  return { json: reportOf(output, content), remark };
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

/** Writes the records as they are read. */
async function toOutput(
  { connection, question, format }: DownloadRequest,
  watch: DownloadWatch,
  signal: AbortSignal,
): Promise<void> {
  if (format === "parquet") throw new OperatorError("Parquet needs a file: give --output FILE.");
  const { head, body } = lineFormats[format];
  const reader = readerOf(connection, question);
  await writeOutput(head(reader.dataset), signal);
  let records = 0;
  for await (const page of reader.read({ position: undefined, limit: question.limit, signal })) {
    await writeOutput(page.records.map(({ line }) => body(reader.dataset, line)).join(""), signal);
    records += page.records.length;
    await watch.see({ asked: question, written: { records }, ...page, isComplete: page.isLast });
  }
  watch.end();
}
