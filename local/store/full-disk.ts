import { StartError } from "../start-error.ts";

/** As the system says it, and LevelDB, which has no code for it. */
const CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
const WORDS = /no space left on device|disk quota exceeded|not enough space/i;

/** Whether something failed because a disk, or the part of it that a user may fill, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && CODES.has(error.code)) return true;
  return WORDS.test(error.message) || isDiskFull(error.cause);
}

/** What the disk of a data directory being full means, and what to do. */
export const diskFull = (dataDir: string, cause?: unknown): StartError =>
  new StartError(
    `The disk of ${dataDir} is full. Free some space and start again: nothing that was answered is lost.`,
    { cause },
  );

/** The name of the error that requests are answered with once the disk is full. */
export const DISK_FULL_EXCEPTION = "LocalDiskFullException";
