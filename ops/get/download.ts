import { open, rename, rm } from "node:fs/promises";
import { basename } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import {
  type Content,
  contentOf,
  type DownloadPaths,
  type DownloadState,
  type Effort,
  type Format,
  manifestSchema,
  manifestText,
  pathsOf,
  type Question,
  stateSchema,
  type Written,
} from "./download-files.ts";
import { lineFormats } from "./line-formats.ts";
import {
  emptySum,
  exists,
  fileLines,
  PartFile,
  readOwnFile,
  replaceFile,
  sumOfFile,
  whileLocked,
  writing,
} from "./own-files.ts";
import { writeParquet } from "./parquet.ts";
import type { Page, Reader } from "./readers.ts";

/** A download to a file, of which every run of the same command does a part. */
interface Download {
  readonly output: string;
  readonly format: Format;
  /** The service's address. */
  readonly url: string;
  /** The options as they were given: another run goes on only if it was given the same. */
  readonly given: string;
  /** What a first run asks. A later one asks the same, with the end that the first one had. */
  readonly question: Question;
  readonly readerOf: (question: Question) => Reader;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Told of the state at the start, and after each page once it is on the disk. The reading waits for it. */
  readonly onState: (state: DownloadState) => Promise<void> | void;
}

const FRESH = "Begin anew with --fresh.";

/** Removes what an earlier run left, so that the next one begins anew. The result of an earlier download stays. */
export async function forgetDownload(output: string): Promise<void> {
  const paths = pathsOf(output);
  await whileLocked(paths, async () => {
    for (const path of [paths.state, paths.part, paths.draft]) await rm(path, { force: true });
  });
}

/**
 * Downloads to a file, or goes on where an earlier run of the same command has ended. The file appears when it is whole,
 * with its manifest beside it; until then there are a part file and a state file.
 *
 * @returns what the file holds.
 * @throws {OperatorError} when another download is under way there.
 * @throws the reader's failures, and the reason of the signal; what was read until then is kept.
 */
export async function download(job: Download): Promise<Content> {
  const paths = pathsOf(job.output);
  return await whileLocked(paths, async () => {
    const begun = await readState(job, paths);
    if (begun?.isComplete === true && !(await exists(paths.part))) return await forgetState(paths);
    const state = await readRest(job, paths, begun ?? beginning(job));
    return await finish(job, paths, state);
  });
}

const beginning = ({ given, url, question, format }: Download): DownloadState => ({
  state: 1,
  given,
  url,
  asked: question,
  format,
  reachedMs: Date.parse(question.to),
  isComplete: false,
  written: { records: 0, windows: {}, ...emptySum },
  effort: { runs: 0, calls: 0, pages: 0, tokens: 0, waitedMs: 0, tookMs: 0 },
});

async function readState(
  { given, url, format }: Download,
  paths: DownloadPaths,
): Promise<DownloadState | undefined> {
  const state = await readOwnFile(paths.state, stateSchema, FRESH);
  if (state === undefined) return undefined;
  const differs =
    state.given !== given ? "other options" : state.format !== format ? "another --format" : undefined;
  const other = differs ?? (state.url === url ? undefined : `another service, ${state.url}`);
  if (other === undefined) return state;
  throw new OperatorError(`${paths.part} is of a download with ${other}. ${FRESH}`);
}

/** Reads what is left into the part file, and saves the state after each page. */
async function readRest(job: Download, paths: DownloadPaths, begun: DownloadState): Promise<DownloadState> {
  const reader = job.readerOf(begun.asked);
  const startedAt = job.clock();
  const effortNow = (page?: Page): Effort => addedEffort(begun.effort, page, reader, job.clock() - startedAt);
  let state: DownloadState = { ...begun, effort: effortNow() };
  await job.onState(state);
  if (begun.isComplete) return state;
  const part = await (begun.position === undefined
    ? PartFile.begin(paths.part)
    : PartFile.goOn(paths.part, begun.written));
  try {
    const limit = begun.asked.limit === undefined ? undefined : begun.asked.limit - begun.written.records;
    const texts = textsOf(job.format, reader);
    for await (const page of reader.read({ position: begun.position, limit, signal: job.signal })) {
      const sum = await part.append(texts(state.written.bytes === 0, page));
      const written = { ...countedIn(state.written, page), ...sum };
      state = { ...state, ...progressOf(page), written, effort: effortNow(page) };
      await replaceFile(paths.state, JSON.stringify(state));
      await job.onState(state);
    }
    return state;
  } finally {
    await part.close();
  }
}

const progressOf = ({ position, reachedMs, isLast }: Page) => ({ position, reachedMs, isComplete: isLast });

const addedEffort = (before: Effort, page: Page | undefined, reader: Reader, tookMs: number): Effort => ({
  runs: before.runs + 1,
  calls: before.calls + reader.calls(),
  pages: before.pages + (page?.pages ?? 0),
  tokens: before.tokens + (page?.tokens ?? 0),
  waitedMs: before.waitedMs + (page?.waitedMs ?? 0),
  tookMs: before.tookMs + tookMs,
});

/** The format of the part file: Parquet needs all records before it can be written. */
const partFormat = (format: Format) => lineFormats[format === "csv" ? "csv" : "ndjson"];

/** Makes the text of a page, with the file's head before the first one. */
function textsOf(format: Format, { dataset }: Reader): (isFirst: boolean, page: Page) => string {
  const { head, body } = partFormat(format);
  return (isFirst, { records }) =>
    (isFirst ? head(dataset) : "") + records.map(({ line }) => body(dataset, line)).join("");
}

function countedIn(written: Written, { records }: Page): Written {
  const first = written.first ?? (records[0] && placeOf(records[0]));
  const oldest = records.at(-1);
  const last = oldest === undefined ? written.last : placeOf(oldest);
  return {
    ...written,
    records: written.records + records.length,
    windows: countedByDay(written.windows, records),
    ...(first !== undefined && { first }),
    ...(last !== undefined && { last }),
  };
}

const placeOf = ({ instant, id }: Page["records"][number]) => ({ instant, id });

const DAY_LENGTH = "2026-11-28".length;

function countedByDay(before: Written["windows"], records: Page["records"]): Written["windows"] {
  const windows = new Map(Object.entries(before));
  for (const record of records) {
    const day = new Date(record.instant).toISOString().slice(0, DAY_LENGTH);
    const last = placeOf(record);
    const { first, records: counted } = windows.get(day) ?? { first: last, records: 0 };
    windows.set(day, { records: counted + 1, first, last });
  }
  return Object.fromEntries(windows);
}

/** The last step of a run that was killed before it. */
async function forgetState({ output, part, state, manifest }: DownloadPaths): Promise<Content> {
  const content = (await readOwnFile(manifest, manifestSchema, FRESH))?.content;
  const isThere = content !== undefined && (await exists(output));
  if (!isThere || (await sumOfFile(output)).sha256 !== content.sha256)
    throw new OperatorError(`${part} was removed, and ${output} is not what it held. ${FRESH}`);
  await rm(state);
  return content;
}

/** Makes the result of a part file that is complete. Each step can be done again after a kill. */
async function finish(job: Download, paths: DownloadPaths, state: DownloadState): Promise<Content> {
  const { content, made } = await contentIn(job, paths, state);
  const manifest = manifestText(state, { file: basename(paths.output), content, now: job.clock() });
  await replaceFile(paths.manifest, manifest);
  await writing(paths.output, () => rename(made, paths.output));
  await rm(paths.part, { force: true });
  await rm(paths.state);
  return content;
}

async function contentIn(
  { format, signal, readerOf }: Download,
  { part, draft }: DownloadPaths,
  { written, asked }: DownloadState,
): Promise<{ readonly content: Content; readonly made: string }> {
  // The part is read back, because another process may have written to it meanwhile.
  await (await PartFile.goOn(part, written)).close();
  if (format !== "parquet") return { content: contentOf(format, written, written), made: part };
  const { dataset } = readerOf(asked);
  const source = { dataset, lines: () => fileLines(part), signal };
  const columns = await writing(draft, () => writeParquet(draft, source));
  await flush(draft);
  return { content: contentOf(format, written, await sumOfFile(draft), columns), made: draft };
}

async function flush(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.datasync();
}
