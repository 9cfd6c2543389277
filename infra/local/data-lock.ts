import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { diskFull, isDiskFull } from "./full-disk.ts";
import { inDataDirectory, makeDirectory, unusableDirectory } from "./in-data-directory.ts";
import { writePrivateFile } from "./private-file.ts";

/** A gateway runs until it is told to stop; a command goes away by itself. */
export type HolderKind = "gateway" | "command";

/** Who holds a data directory, and where its store answers to whom. */
export interface Holder {
  readonly pid: number;
  readonly kind: HolderKind;
  readonly endpoint: string;
  readonly accessKeyId: string;
}

const holderFile = (dataDir: string): string => join(dataDir, "engine.json");

/**
 * Takes the one lock of a data directory, which is made when it is not there; undefined when a living process has it.
 * Throws a `StartError` when the directory cannot be used. The lock is that of an empty
 * LevelDB: the operating system gives it back when its process ends, even by `kill -9`, so none is ever stale.
 */
export async function tryLock(dataDir: string): Promise<(() => Promise<void>) | undefined> {
  const path = join(dataDir, "lock");
  await inDataDirectory(dataDir, () => makeDirectory(path));
  const lock = new ClassicLevel(path);
  try {
    await lock.open();
    return () => lock.close();
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    if (cause?.code === "LEVEL_LOCKED") return undefined;
    throw isDiskFull(error) ? diskFull(dataDir, error) : unusableDirectory(dataDir, cause ?? error);
  }
}

/** Writes down who holds the directory, for its owner's eyes only. */
export async function writeHolder(dataDir: string, holder: Holder): Promise<void> {
  await writePrivateFile(holderFile(dataDir), `${JSON.stringify(holder)}\n`);
}

/** Who holds a locked directory; undefined while its new holder has not said so. */
export async function readHolder(dataDir: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(holderFile(dataDir), "utf8")) as Holder;
    // A signal of 0 only asks whether the process is there; it throws when not.
    process.kill(holder.pid, 0);
    return holder;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return undefined;
    throw error;
  }
}

/** Removes the name of the directory's holder. */
export async function forgetHolder(dataDir: string): Promise<void> {
  await rm(holderFile(dataDir), { force: true });
}
