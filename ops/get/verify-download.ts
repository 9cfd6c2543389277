import { dirname, join } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { temporaryDirectory } from "../../local/process/temporary-directory.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import type { Connection } from "./connection.ts";
import { download, exists } from "./download.ts";
import { DownloadWatch } from "./download-watch.ts";
import { fileLines } from "./file-lines.ts";
import { type Content, differences, type Manifest, manifestSchema } from "./manifest.ts";
import { sumOfFile } from "./part-file.ts";
import { readerOf } from "./question-reader.ts";
import { readOwnFile } from "./replace-file.ts";

/** What was found of a download: a line for each difference. Without any, all is equal. */
export interface Findings {
  /** Of the file beside the manifest; undefined when it is not there. */
  readonly file: readonly string[] | undefined;
  /** Of the records that the service has now. */
  readonly service: readonly string[];
}

/** Reads the manifest of a download. @throws {OperatorError} for another file. */
export async function readManifest(path: string): Promise<Manifest> {
  const advice = "Give a file that ends with .manifest.json.";
  const manifest = await readOwnFile(path, manifestSchema, advice);
  if (manifest !== undefined) return manifest;
  throw new OperatorError(`There is no ${path}. ${advice}`);
}

/** Asks a manifest's question again, and compares the file beside it and the records with what it says. */
export async function verifyDownload(
  path: string,
  manifest: Manifest,
  connection: Connection,
  signal: AbortSignal,
): Promise<Findings> {
  requireSameSubject(manifest, connection);
  const original = join(dirname(path), manifest.file);
  const file = (await exists(original)) ? await fileDifferences(original, manifest.content) : undefined;
  await using directory = await temporaryDirectory("countinghouse-get-");
  const again = join(directory.path, "again");
  const found = await readAgain(again, manifest, connection, signal);
  const service = differences(manifest.content, found);
  const canShow = file?.length === 0 && manifest.content.format !== "parquet" && service.length > 0;
  return { file, service: canShow ? [...service, ...(await firstDifference(original, again))] : service };
}

function requireSameSubject({ asked }: Manifest, { subject }: Connection): void {
  if (asked.get !== "transactions" || asked.subject === subject) return;
  throw new OperatorError(
    `The manifest is of the transactions of ${asked.subject}, and the token is of another business.`,
  );
}

async function fileDifferences(path: string, content: Content): Promise<readonly string[]> {
  return differences(content, { ...content, ...(await sumOfFile(path)) });
}

async function readAgain(
  output: string,
  { asked, content: { format, form = 1 } }: Manifest,
  connection: Connection,
  signal: AbortSignal,
): Promise<Content> {
  const watch = new DownloadWatch({ question: asked, isAgreed: true, hasDisplay: true });
  try {
    return await download({
      output,
      format,
      // A file of an earlier release differs by its bytes alone.
      form,
      url: connection.url,
      given: "",
      question: asked,
      signal,
      clock: systemClock,
      readerOf: (question) => readerOf(connection, question),
      onState: (state) => watch.see(state),
    });
  } finally {
    watch.end();
  }
}

const SHOWN_MAX = 160;
const shown = (line: string | undefined): string =>
  line === undefined ? "no line" : terminalText(line.trimEnd()).slice(0, SHOWN_MAX);

/** The first line of two files that differs. */
async function firstDifference(original: string, again: string): Promise<readonly string[]> {
  const [old, now] = [fileLines(original), fileLines(again)];
  try {
    for (let number = 1; ; number += 1) {
      const [one, other] = [(await old.next()).value, (await now.next()).value];
      if (one !== other)
        return [
          `line ${number} of the file:  ${shown(one || undefined)}`,
          `the service has: ${shown(other || undefined)}`,
        ];
      if (one === undefined) return [];
    }
  } finally {
    await old.return();
    await now.return();
  }
}
