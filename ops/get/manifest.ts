import * as z from "zod/mini";
import { ownMember } from "../../lib/own-member.ts";
import { version } from "../../local/installation.ts";
import type { DownloadState, Effort, Format, Written } from "./download-state.ts";
import { countedMembers, formats } from "./download-state.ts";
import { type ColumnTypes, NEWEST_FORM, type ParquetForm } from "./parquet.ts";
import type { FileSum } from "./part-file.ts";
import { type Question, questionSchema } from "./question.ts";

/** What a file says. The same question, asked again, gives the same content as long as the records are the same. */
const contentSchema = z.strictObject({
  format: z.enum(formats),
  ...countedMembers,
  bytes: z.number(),
  sha256: z.string(),
  /** The types of the columns of a Parquet file. */
  columns: z.optional(z.record(z.string(), z.string())),
  /** The form of a Parquet file, from the second on. */
  form: z.optional(z.literal(NEWEST_FORM)),
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
export const contentOf = (
  format: Format,
  { records, windows, first, last }: Written,
  { bytes, sha256 }: FileSum,
  parquet?: { readonly columns: ColumnTypes; readonly form: ParquetForm },
): Content => ({
  format,
  records,
  windows,
  ...(first !== undefined && { first }),
  ...(last !== undefined && { last }),
  bytes,
  sha256,
  ...(parquet !== undefined && { columns: parquet.columns }),
  ...(parquet?.form === NEWEST_FORM && { form: parquet.form }),
});

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
