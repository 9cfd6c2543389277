import * as z from "zod/mini";
import { questionSchema } from "./question.ts";

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
export const countedMembers = {
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
