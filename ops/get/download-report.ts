import * as z from "zod/mini";
import { jsonTime } from "../terminal/json-output.ts";
import { formats } from "./download-state.ts";
import type { Content } from "./manifest.ts";

/** What a finished download has, as JSON. */
export const downloadReport = z.object({
  file: z.string(),
  manifest: z.string(),
  format: z.enum(formats),
  records: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  /** The instants of the newest record and of the oldest; absent where there is none. */
  first: z.optional(jsonTime),
  last: z.optional(jsonTime),
});

/** A report for the documents. */
export const exampleReport: z.input<typeof downloadReport> = {
  file: "week.csv",
  manifest: "week.csv.manifest.json",
  format: "csv",
  records: 18_210,
  bytes: 1_900_412,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  first: "2026-11-29T00:30:00.000Z",
  last: "2026-11-22T00:30:00.112Z",
};

/** The report of a file that was downloaded. */
export function reportOf(file: string, manifest: string, content: Content): z.input<typeof downloadReport> {
  const { format, records, bytes, sha256, first, last } = content;
  return {
    file,
    manifest,
    format,
    records,
    bytes,
    sha256,
    ...(first !== undefined && { first: first.instant }),
    ...(last !== undefined && { last: last.instant }),
  };
}
