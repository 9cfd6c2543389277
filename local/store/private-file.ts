import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../process/start-error.ts";
import { draftOf, type PrivateFileName } from "./data-files.ts";
import { inDataDirectory } from "./in-data-directory.ts";
import { requireOwnEntries } from "./own-directory.ts";

/** The mode of a private file. */
export const OWNER_ONLY_MODE = 0o600;

/**
 * The place of private files: the path of a data directory, or a map from names to texts, for a service that keeps
 * nothing on the disk.
 */
export type PrivatePlace = string | Map<PrivateFileName, string>;

/** The path of a private file; in a map, its name. */
export const privatePath = (place: PrivatePlace, name: PrivateFileName): string =>
  typeof place === "string" ? join(place, name) : name;

/**
 * Replaces a private file. In a data directory only its owner may read it. A reader finds the whole old text or the whole new
 * one, and another user can never open the file. Only the process that holds the directory may write it. Throws a
 * `StartError` when the file cannot be written.
 */
export async function writePrivateFile(
  place: PrivatePlace,
  name: PrivateFileName,
  text: string,
): Promise<void> {
  if (typeof place === "string") await replaceFile(place, name, text);
  else place.set(name, text);
}

const replaceFile = (dataDir: string, name: PrivateFileName, text: string): Promise<void> =>
  inDataDirectory(dataDir, async () => {
    await mkdir(dataDir, { recursive: true });
    const draft = join(dataDir, draftOf(name));
    try {
      // A draft that a killed process left may have any mode. `wx` makes sure that this process creates the file.
      await rm(draft, { force: true });
      await writeFile(draft, text, { mode: OWNER_ONLY_MODE, flag: "wx", flush: true });
      await rename(draft, join(dataDir, name));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  });

/**
 * The text of a private file; undefined when it does not exist. Throws a `StartError` when it cannot be read, and an
 * `UntrustedEntry` when another user may have put it there.
 */
export async function readPrivateFile(
  place: PrivatePlace,
  name: PrivateFileName,
): Promise<string | undefined> {
  if (typeof place !== "string") return place.get(name);
  const file = privatePath(place, name);
  try {
    await requireOwnEntries(place, [name]);
    return await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new StartError(`${file} cannot be read (${code}).`, { cause });
  }
}
