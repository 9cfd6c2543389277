import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { privateFileNames } from "./data-files.ts";
import { describeHolder, readHolder, tryLock } from "./data-lock.ts";
import { DataDirectoryInUse } from "./engine.ts";
import { inDataDirectory, makeDirectory } from "./in-data-directory.ts";
import { MARK, requireOurs } from "./own-directory.ts";
import { OWNER_ONLY_MODE } from "./private-file.ts";

/**
 * Empties a data directory of what countinghouse put there, and keeps everything else. Throws when another process is
 * using it, and when it is not one of ours but has something under one of our names.
 */
export async function emptyDataDirectory(dataDir: string): Promise<void> {
  await inDataDirectory(dataDir, () => makeDirectory(dataDir));
  const found = await requireOurs(dataDir);
  if (found.length === 0) return;
  const release = await tryLock(dataDir);
  if (release === undefined) {
    const holder = describeHolder(await readHolder(dataDir));
    throw new DataDirectoryInUse(`${dataDir} is in use by ${holder}. Stop it before you start with --fresh.`);
  }
  for (const name of found.filter((name) => name !== MARK))
    await rm(join(dataDir, name), { recursive: true, force: true });
  await release();
}

/** Gives every private file the mode that it was written with: a copy of a directory may have lost it. */
export async function mendModes(dataDir: string): Promise<void> {
  await inDataDirectory(dataDir, async () => {
    const names = new Set(await readdir(dataDir));
    for (const name of privateFileNames)
      if (names.has(name)) await chmod(join(dataDir, name), OWNER_ONLY_MODE);
  });
}
