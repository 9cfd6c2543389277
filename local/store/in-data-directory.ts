import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ownMember } from "../../lib/own-member.ts";
import { StartError } from "../process/start-error.ts";

const OWNER_ONLY_MODE = 0o700;

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "something else is in its place",
  ENOTDIR: "part of its path is a file",
  ENOENT: "it cannot be created there",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "its file system is read-only",
  ENOSPC: "its file system is full",
};

/**
 * The error for a data directory that cannot be used: one line that names the directory, the reason and a way out. The
 * reason comes from `error`, which is any error of the system or of the store's files.
 */
export function unusableDirectory(dataDir: string, error: unknown): StartError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const reason = ownMember(REASONS, code) ?? message;
  return new StartError(`${dataDir} cannot be the data directory: ${reason}. Name another with --data.`, {
    cause: error,
  });
}

/**
 * Creates a directory and its missing parents, open to their owner only. An existing directory stays as it is. The
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

/** Runs an action on the files of a data directory. An error of the action is thrown as a `StartError`. */
export async function inDataDirectory<Result>(dataDir: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof StartError ? error : unusableDirectory(dataDir, error);
  }
}
