import { type Command, Option } from "commander";
import { type Instant, instantOf, parseDateOrInstant } from "../../lib/instant.ts";
import { callersPath, optionOf } from "../store/store-options.ts";
import { addJsonOption } from "../terminal/json-output.ts";
import { downloadReport, exampleReport } from "./download-report.ts";
import { type Format, formats } from "./download-state.ts";

/** The options of a command that downloads records. */
export interface DownloadOptions {
  readonly format: Format;
  readonly output?: string;
  readonly limit?: number;
  readonly fresh?: true;
  readonly yes?: true;
  readonly json?: true;
}

const HOUR_MS = 3_600_000;
const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ["h", HOUR_MS],
  ["d", 24 * HOUR_MS],
  ["w", 168 * HOUR_MS],
]);

/**
 * An instant as an operator gives it: a date (its first moment in UTC), a date and time with its zone, Unix epoch
 * milliseconds, or a time ago, such as `30d`.
 *
 * @param now Unix epoch milliseconds.
 * @throws {RangeError} with a message for the operator.
 */
export function parseMoment(text: string, now: number): Instant {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  const unitMs = UNITS_MS.get(unit);
  const ms =
    unitMs !== undefined ? now - Number(count) * unitMs : /^\d{13}$/.test(text) ? Number(text) : undefined;
  const instant = ms === undefined ? parseDateOrInstant(text) : instantOf(Math.max(0, ms));
  if (instant !== undefined) return instant;
  throw new RangeError(
    "Give a date such as 2026-11-01, a date and time with its zone, epoch milliseconds, or a time ago such as 30d or 12h.",
  );
}

/** The most records that --limit takes. */
const LIMIT_MAX = 1_000_000_000;

function parseLimit(text: string): number {
  const limit = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new RangeError(`It must be a number from 1 to ${LIMIT_MAX}.`);
}

/** Checks the option's text now, and keeps it: it is the text that tells whether a later command is the same. */
export const momentOption = (flags: string, description: string, now: () => number): Option =>
  new Option(flags, description).argParser(
    optionOf((text) => {
      parseMoment(text, now());
      return text;
    }),
  );

/** The oldest instant of a download, in the words of every command that has one. */
export const fromOption = (now: () => number): Option =>
  momentOption("--from <instant>", "the oldest instant: a date, an instant, or a time ago such as 30d", now);

/** What a download does with its records, by a command's options. */
export const outputOf = ({ format, output, fresh, yes, json }: DownloadOptions) => ({
  format,
  output,
  isFresh: fresh === true,
  isAgreed: yes === true,
  json: json === true,
});

/** Adds the options of {@link DownloadOptions} to a command. */
export const addDownloadOptions = (command: Command): Command =>
  addJsonOption(command, downloadReport, exampleReport)
    .addOption(new Option("--format <name>", "the format of the records").choices(formats).default("ndjson"))
    .option(
      "--output <file>",
      "write to this file, with a manifest beside it, and go on after a stop",
      callersPath,
    )
    .option("--limit <number>", "the most records, the newest ones", optionOf(parseLimit))
    .option("--fresh", "with --output: begin anew, and replace the file")
    .option("--yes", "begin a long download without asking");

/** Explains formats and files in a command's help. */
export const DOWNLOAD_HELP = `
Formats: ndjson has each record as it was sent; csv is RFC 4180 with a header; parquet has exact decimals and needs --output.
Where a text in csv begins with = + - @ or ', an apostrophe stands in front of it, so that a spreadsheet does not run it.

With --output, Ctrl-C or a kill leaves FILE.part and FILE.state.json, and the same command goes on after the last page that
was surely written. The finished FILE has FILE.manifest.json beside it; \`get verify\` reads all of it again and compares.
After the first page an estimate is given. If it is more than 10 minutes or 1,000,000 records, a person at a terminal is
asked first, unless --yes is given. --json goes with --output, and tells on standard output what FILE has; without --output,
standard output has the records themselves, and ndjson is the format for programs.`;
