import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

const OWNER_ONLY_MODE = 0o600;

/** What a private file is written as before it takes its name; a process that is killed may leave it behind. */
export const draftOf = (path: string): string => `${path}.draft`;

/**
 * Replaces a file that only its owner may read. A reader finds the old text or the new one, never a part of either,
 * and no moment exists at which another user could open it. For one process at a time, as the data directory is.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = draftOf(path);
  try {
    // One that a killed process left may have any mode; `wx` makes sure that it is ours.
    await rm(draft, { force: true });
    await writeFile(draft, text, { mode: OWNER_ONLY_MODE, flag: "wx", flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
