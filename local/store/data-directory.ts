import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isPrivateFileName } from "./data-files.ts";
import { describeHolder, readHolder, tryLock } from "./data-lock.ts";
import { DataDirectoryInUse } from "./engine.ts";
import { inDataDirectory, makeDirectory } from "./in-data-directory.ts";
import { MARK, requireOurs } from "./own-directory.ts";
import { OWNER_ONLY_MODE } from "./private-file.ts";

/**
 * Deletes from a data directory what countinghouse put there, and keeps everything else. Throws a `DataDirectoryInUse`
 * when another process uses the directory, and a `ForeignDirectory` when another program's entries have our names.
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

/** Restores the mode of every private file, which a copy of the directory may have lost. It follows no link. */
export async function mendModes(dataDir: string): Promise<void> {
  await inDataDirectory(dataDir, async () => {
    for (const entry of await readdir(dataDir, { withFileTypes: true }))
      if (entry.isFile() && isPrivateFileName(entry.name))
        await chmod(join(dataDir, entry.name), OWNER_ONLY_MODE);
  });
}
