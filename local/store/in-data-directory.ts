import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ownMember } from "../../lib/own-member.ts";
import { StartError } from "../start-error.ts";

const OWNER_ONLY_MODE = 0o700;

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "there is something else in its place",
  ENOTDIR: "a part of its path is a file",
  ENOENT: "it cannot be made there",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "its file system cannot be written to",
  ENOSPC: "its file system is full",
};

/**
 * What is thrown when a data directory cannot be used: one line that names it and says what to do. Any error of the
 * system or of the store's files is taken for a reason.
 */
export function unusableDirectory(dataDir: string, error: unknown): StartError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const reason = ownMember(REASONS, code) ?? message;
  return new StartError(`${dataDir} cannot be the data directory: ${reason}. Name another with --data.`, {
    cause: error,
  });
}

/**
 * Makes a directory, and those above it that are missing, for their owner only; one that is there is left as it is. The
 * recursive `mkdir` of Node.js never returns for a path in a file system that takes no directories, such as /proc/x/y.
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, OWNER_ONLY_MODE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await makeDirectory(dirname(path));
    await mkdir(path, OWNER_ONLY_MODE).catch(ignoreExisting);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/** Does something with the files of a data directory. Throws a `StartError` when the system does not let it. */
export async function inDataDirectory<Result>(dataDir: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof StartError ? error : unusableDirectory(dataDir, error);
  }
}
