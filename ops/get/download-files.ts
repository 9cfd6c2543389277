import * as z from "zod/mini";
import { ownMember } from "../../lib/own-member.ts";
import { version } from "../../local/installation.ts";
import type { FileSum } from "./own-files.ts";
import type { ColumnTypes } from "./parquet.ts";

/** The instant of a question, as ISO 8601 with a zone. */
const instant = z.string();
const texts = z.optional(z.array(z.string()));

const tradesQuestion = z.strictObject({
  get: z.literal("trades"),
  symbol: z.string(),
  /** The oldest instant, included, in milliseconds. */
  from: instant,
  /** The newest instant, included. */
  to: instant,
  /** The most records of the whole download: the newest ones. */
  limit: z.optional(z.number()),
});

const transactionsQuestion = z.strictObject({
  get: z.literal("transactions"),
  /** Whose transactions: the subject of the access token, where the token can be read. */
  subject: z.optional(z.string()),
  /** The oldest instant, included; absent for the first record. */
  from: z.optional(instant),
  /** The end, not included. */
  to: instant,
  type: texts,
  state: texts,
  account: texts,
  request_id: z.optional(z.string()),
  limit: z.optional(z.number()),
});

/** What is downloaded. Both ends of its time are fixed, so that it can be asked again. */
const questionSchema = z.discriminatedUnion("get", [tradesQuestion, transactionsQuestion]);

export type TradesQuestion = z.infer<typeof tradesQuestion>;
export type TransactionsQuestion = z.infer<typeof transactionsQuestion>;
export type Question = z.infer<typeof questionSchema>;

/** A question's span in epoch milliseconds; `fromMs` is undefined when the question goes back to the first record. */
export const spanOf = ({
  from,
  to,
}: Question): { readonly fromMs: number | undefined; readonly toMs: number } => ({
  fromMs: from === undefined ? undefined : Date.parse(from),
  toMs: Date.parse(to),
});

/** The formats of a file. */
export const formats = ["csv", "ndjson", "parquet"] as const;
export type Format = (typeof formats)[number];

const place = z.strictObject({ instant: z.string(), id: z.string() });
const count = z.number();

/** Work that was done for a file, by all runs together. It differs from one download to another. */
const effortSchema = z.strictObject({
  /** Times that the command was started. */
  runs: count,
  /** HTTP requests, repetitions included. */
  calls: count,
  pages: count,
  /** Tokens of the limit that the pages cost. */
  tokens: count,
  waitedMs: count,
  tookMs: count,
});
export type Effort = z.infer<typeof effortSchema>;

/** The records of one day: how many, the newest and the oldest. */
const windowSchema = z.strictObject({ records: count, first: place, last: place });

/** What is counted of the records in a file. */
const countedMembers = {
  records: count,
  /**
   * The windows that hold records, each a day in UTC such as `2026-11-28`. The windows of the requests themselves would
   * depend on where a download was interrupted.
   */
  windows: z.record(z.string(), windowSchema),
  /** The newest record and the oldest one. */
  first: z.optional(place),
  last: z.optional(place),
};

/** The records that are surely in the part file. */
const writtenSchema = z.strictObject({
  ...countedMembers,
  /** Length of the part file, and the digest of its bytes. Bytes after them are not counted on. */
  bytes: count,
  sha256: z.string(),
});
export type Written = z.infer<typeof writtenSchema>;

/** A download that is under way: all that the same command needs to go on. It has no credential in it. */
export const stateSchema = z.strictObject({
  state: z.literal(1),
  /** The options as they were given, which tell whether a command is the same. */
  given: z.string(),
  url: z.string(),
  asked: questionSchema,
  format: z.enum(formats),
  /** From where the reading goes on; absent at the beginning. */
  position: z.optional(z.unknown()),
  /** Everything later than this instant was read, in epoch milliseconds. */
  reachedMs: z.number(),
  isComplete: z.boolean(),
  written: writtenSchema,
  effort: effortSchema,
});
export type DownloadState = z.infer<typeof stateSchema>;

/** The files of a download, from the path of its result. */
export const pathsOf = (output: string) => ({
  output,
  part: `${output}.part`,
  state: `${output}.state.json`,
  /** It is there while a process works on the others. */
  lock: `${output}.lock`,
  manifest: `${output}.manifest.json`,
  /** A file that is made from the part, before it becomes the result. */
  draft: `${output}.draft`,
});
export type DownloadPaths = ReturnType<typeof pathsOf>;

/** What a file says. The same question, asked again, gives the same content as long as the records are the same. */
const contentSchema = z.strictObject({
  format: z.enum(formats),
  ...countedMembers,
  bytes: z.number(),
  sha256: z.string(),
  /** The types of the columns of a Parquet file. */
  columns: z.optional(z.record(z.string(), z.string())),
});
export type Content = z.infer<typeof contentSchema>;

/** What is said of a finished file beside it. Everything but `run` is the same for the same records. */
export const manifestSchema = z.object({
  manifest: z.literal(1),
  file: z.string(),
  url: z.string(),
  asked: questionSchema,
  content: contentSchema,
  versions: z.record(z.string(), z.string()),
  /** Of the download itself: it differs from time to time and is not compared. */
  run: z.object({ finishedAt: z.string() }),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** The content of a file, from what was written and from the sum of the finished file. */
export const contentOf = (format: Format, written: Written, sum: FileSum, columns?: ColumnTypes): Content =>
  contentSchema.parse({ format, ...written, ...sum, ...(columns !== undefined && { columns }) });

/** The manifest of a finished download, as its file has it. @param now Unix epoch milliseconds. */
export function manifestText(
  { url, asked, effort }: Pick<DownloadState, "url" | "asked" | "effort">,
  { file, content, now }: { readonly file: string; readonly content: Content; readonly now: number },
): string {
  const run: Effort & { readonly finishedAt: string } = {
    finishedAt: new Date(now).toISOString(),
    ...effort,
  };
  const versions = { countinghouse: version };
  const manifest: Manifest = { manifest: 1, file, url, asked: ordered(asked), content, versions, run };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The members of a question in one order, however it came about. */
const ordered = (question: Question): Question => questionSchema.parse(question);

/** The members of two contents that differ, each in a line for people: `records: 10 in the manifest, 12 now`. */
export function differences(expected: Content, found: Content): readonly string[] {
  const names = ["records", "first", "last", "bytes", "sha256", "columns"] as const;
  const named = (name: string, before: Told, now: Told): string[] =>
    told(before) === told(now) ? [] : [`${name}: ${told(before)} in the manifest, ${told(now)} now`];
  const inWindow = (day: string): string[] => {
    const [before, now] = [ownMember(expected.windows, day), ownMember(found.windows, day)];
    return before?.records === now?.records
      ? named(day, before, now)
      : named(day, before?.records, now?.records);
  };
  const days = Object.keys({ ...expected.windows, ...found.windows });
  return [...names.flatMap((name) => named(name, expected[name], found[name])), ...days.flatMap(inWindow)];
}

/** What can be told of a member: a text, a number, or an object of such. */
type Told = string | number | { readonly [name: string]: Told } | undefined;

function told(value: Told): string {
  if (value === undefined) return "none";
  return typeof value === "object" ? Object.values(value).map(told).join(" ") : String(value);
}
