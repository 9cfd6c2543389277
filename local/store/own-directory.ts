import { readdir } from "node:fs/promises";
import { StartError } from "../start-error.ts";
import { dataNames, ownNames } from "./data-files.ts";
import { inDataDirectory } from "./in-data-directory.ts";

/** What shows that the directory is one of ours: no other program makes this. */
export const MARK = dataNames.lock;
/** What no other program makes either, and a start that was killed may have made before its mark. */
const OURS_ALONE: ReadonlySet<string> = new Set([dataNames.assembly]);

/** The directory holds things under our names that we did not put there. */
export class ForeignDirectory extends StartError {
  override readonly name = "ForeignDirectory";
}

/**
 * Makes sure that what a directory has under our names is ours, before anything is written there; one that is not there
 * yet is fine.
 *
 * @returns the names that are ours.
 */
export async function requireOurs(dataDir: string): Promise<string[]> {
  const found = (await namesIn(dataDir)).filter((name) => ownNames.includes(name));
  const isOurs = found.includes(MARK) || found.every((name) => OURS_ALONE.has(name));
  if (isOurs) return found;
  throw new ForeignDirectory(
    `${dataDir} is no data directory of countinghouse, but has ${found.join(", ")}. Nothing was changed. Name another with --data.`,
  );
}

const namesIn = (dataDir: string): Promise<string[]> =>
  inDataDirectory(dataDir, () =>
    readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    }),
  );
