import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readHolder, tryLock } from "./data-lock.ts";
import { PASS_KEY_NAME } from "./demo/pass-signing-key.ts";
import { DataDirectoryInUse } from "./engine.ts";
import { draftOf } from "./private-file.ts";
import { StartError } from "./start-error.ts";
import { certificateFileNames } from "./tls/local-authority.ts";

const PRIVATE_FILES = ["engine.json", "demo.json", "issuer-key.json", PASS_KEY_NAME, ...certificateFileNames];

/** All that countinghouse itself puts into a data directory. Nothing else in it is ever removed. */
const OWN_NAMES: readonly string[] = [
  "dynamodb",
  "lock",
  ...PRIVATE_FILES.flatMap((name) => [name, draftOf(name)]),
];
/** What shows that the directory is one of ours: no other program makes this. */
const MARK = "lock";

/** The directory holds things under our names that we did not put there. */
export class ForeignDirectory extends StartError {
  override readonly name = "ForeignDirectory";
}

/**
 * Empties a data directory of what countinghouse put there, and keeps everything else. Throws when another process is
 * using it, and when it is not one of ours but has something under one of our names.
 */
export async function emptyDataDirectory(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const found = (await readdir(dataDir)).filter((name) => OWN_NAMES.includes(name));
  if (found.length === 0) return;
  if (!found.includes(MARK)) {
    throw new ForeignDirectory(
      `${dataDir} is no data directory of countinghouse, but has ${found.join(", ")}. Nothing was removed.`,
    );
  }
  const release = await tryLock(dataDir);
  if (release === undefined) {
    const holder = await readHolder(dataDir);
    throw new DataDirectoryInUse(
      `${dataDir} is in use by process ${holder?.pid ?? "unknown"}. Stop it before you start with --fresh.`,
    );
  }
  for (const name of found.filter((name) => name !== MARK))
    await rm(join(dataDir, name), { recursive: true, force: true });
  await release();
}
