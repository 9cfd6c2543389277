import { StartError } from "../process/start-error.ts";

/** The codes of the system's errors, and the words of LevelDB's, which have no code. */
const CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
const WORDS = /no space left on device|disk quota exceeded|not enough space/i;

/** Whether an error says that the disk, or the user's quota on it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && CODES.has(error.code)) return true;
  return WORDS.test(error.message) || isDiskFull(error.cause);
}

/** The error for a data directory whose disk is full: the state of the data, and what to do. */
export const diskFull = (dataDir: string, cause?: unknown): StartError =>
  new StartError(
    `The disk of ${dataDir} is full. Free some space and start again: every write that was answered is stored.`,
    { cause },
  );

/** The name of the error that answers every request once the disk is full. */
export const DISK_FULL_EXCEPTION = "LocalDiskFullException";
