import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { temporaryDirectory } from "../../local/process/temporary-directory.ts";
import { defineCommand } from "../command.ts";
import { callersPath } from "../store/store-options.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { type Connection, connect, connectionTakes, credentialsHelp } from "./connection.ts";
import { download } from "./download.ts";
import { type Content, differences, type Manifest, manifestSchema } from "./download-files.ts";
import { DownloadWatch } from "./download-watch.ts";
import { explained } from "./failures.ts";
import { exists, fileLines, readOwnFile, sumOfFile } from "./own-files.ts";
import { readerOf } from "./readers.ts";

/** `get verify`: compares a download with its manifest and with the service. */
export const verifyDownloaded = defineCommand({
  words: "get verify",
  summary: "read a download again, and say what differs",
  about: `
Asks the question of a manifest again, and says whether the file beside the manifest and the records that the service has
now are those that the manifest tells of. Nothing is written. Trades may be published late or be withdrawn, and
transactions may change; then the service differs.
${credentialsHelp("COUNTINGHOUSE_EXCHANGE_API_KEY", "COUNTINGHOUSE_BUSINESS_TOKEN")}`,
  examples: ["ops get verify half.parquet.manifest.json"],
  exits: { 0: "all is equal", 1: "something differs", 2: "it could not be compared" },
  on: "nothing",
  takes: {
    "<manifest>": { text: "the manifest, FILE.manifest.json", parse: callersPath },
    ...connectionTakes.exchange,
    ...connectionTakes.business,
  },
  stops: "Stopped: nothing is compared.",
  json: {
    shape: z.object({
      equal: z.boolean(),
      /** Null when the file is not beside its manifest. */
      file: z.nullable(z.array(z.string())),
      service: z.array(z.string()),
    }),
    example: { equal: false, file: [], service: ["records: 18210 in the manifest, 18209 now"] },
  },
  async run({ manifest: path, ...given }, { stoppable }) {
    const manifest = await readManifest(path);
    const found = await stoppable(async (stop) => {
      try {
        const connection = await connect(manifest.asked.get === "trades" ? "exchange" : "business", given);
        return await verifyDownload(path, manifest, connection, stop);
      } catch (error) {
        throw explained(error);
      }
    });
    if (found === undefined) return {};
    const { file, service } = found;
    const equal = service.length === 0 && (file === undefined || file.length === 0);
    return {
      json: { equal, file: file ?? null, service },
      text: [
        ...(file === undefined
          ? ["The file is not beside its manifest: only the service is compared."]
          : told("The file", file)),
        ...told("The service", service),
      ],
      ...(!equal && { exitCode: exitCodes.someRefused }),
    };
  },
});

const told = (what: string, differences: readonly string[]): readonly string[] => [
  `${what} ${differences.length === 0 ? "has what the manifest says." : "differs:"}`,
  ...differences.map((difference) => `  ${difference}`),
];

/** Reads the manifest of a download. @throws {OperatorError} for another file. */
async function readManifest(path: string): Promise<Manifest> {
  const advice = "Give a file that ends with .manifest.json.";
  const manifest = await readOwnFile(path, manifestSchema, advice);
  if (manifest !== undefined) return manifest;
  throw new OperatorError(`There is no ${path}. ${advice}`);
}

/**
 * Asks a manifest's question again, and compares with what it says.
 *
 * @returns a line for each difference: of the file beside the manifest, if that is there, and of the service's records.
 */
async function verifyDownload(
  path: string,
  manifest: Manifest,
  connection: Connection,
  signal: AbortSignal,
): Promise<{ readonly file: readonly string[] | undefined; readonly service: readonly string[] }> {
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
  { asked, content: { format } }: Manifest,
  connection: Connection,
  signal: AbortSignal,
): Promise<Content> {
  const watch = new DownloadWatch({ question: asked, isAgreed: true, hasDisplay: true });
  try {
    return await download({
      output,
      format,
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
