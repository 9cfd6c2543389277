import { readdir } from "node:fs/promises";
import { StartError } from "../process/start-error.ts";
import { dataNames, ownNames } from "./data-files.ts";
import { inDataDirectory } from "./in-data-directory.ts";
import { requireOwnEntries } from "./own-entries.ts";

/** The entry that marks a directory as one of ours: no other program creates an entry of this name. */
export const MARK = dataNames.lock;
/** Names that no other program uses either. A start that was killed may have created them before the mark. */
const OURS_ALONE: ReadonlySet<string> = new Set([dataNames.assembly]);

/** The directory has entries under our names that countinghouse did not create. */
export class ForeignDirectory extends StartError {
  override readonly name = "ForeignDirectory";
}

/**
 * Makes sure, before anything is written to a directory, that its entries under our names are ours, and this user's. A
 * directory that does not exist passes. Throws a `ForeignDirectory` or an `UntrustedEntry`.
 *
 * @returns the names of those entries.
 */
export async function requireOurs(dataDir: string): Promise<string[]> {
  const found = (await namesIn(dataDir)).filter((name) => ownNames.includes(name));
  await inDataDirectory(dataDir, () => requireOwnEntries(dataDir, found));
  const isOurs = found.includes(MARK) || found.every((name) => OURS_ALONE.has(name));
  if (isOurs) return found;
  throw new ForeignDirectory(
    `${dataDir} is not a data directory of countinghouse, but has ${found.join(", ")}. Nothing was changed. Name another with --data.`,
  );
}

const namesIn = (dataDir: string): Promise<string[]> =>
  inDataDirectory(dataDir, () =>
    readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    }),
  );
