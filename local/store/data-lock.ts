import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import * as z from "zod/mini";
import { dataNames } from "./data-files.ts";
import { diskFull, isDiskFull } from "./full-disk.ts";
import { inDataDirectory, makeDirectory, unusableDirectory } from "./in-data-directory.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

const schema = z.object({
  pid: z.number(),
  /** A gateway runs until it is told to stop; a command goes away by itself. */
  kind: z.enum(["gateway", "command"]),
  /** Name of the machine, or of the container, whose process it is. */
  host: z.optional(z.string()),
  endpoint: z.string(),
  accessKeyId: z.string(),
});

/** Who holds a data directory, and where its store answers to whom. */
export type Holder = Readonly<z.infer<typeof schema>>;

/** What a holder is to others. */
export type HolderKind = Holder["kind"];

/**
 * Takes the one lock of a data directory, which is made when it is not there; undefined when a living process has it.
 * Throws a `StartError` when the directory cannot be used. The lock is that of an empty
 * LevelDB: the operating system gives it back when its process ends, even by `kill -9`, so none is ever stale.
 */
export async function tryLock(dataDir: string): Promise<(() => Promise<void>) | undefined> {
  const path = join(dataDir, dataNames.lock);
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

/** Writes down that this process holds the directory, for its owner's eyes only. */
export async function writeHolder(dataDir: string, holder: Omit<Holder, "pid" | "host">): Promise<void> {
  const own: Holder = { pid: process.pid, host: hostname(), ...holder };
  await writePrivateFile(dataDir, dataNames.holder, `${JSON.stringify(own)}\n`);
}

/** Who holds a locked directory; undefined while its new holder has not said so. */
export async function readHolder(dataDir: string): Promise<Holder | undefined> {
  const holder = parseHolder(await readPrivateFile(dataDir, dataNames.holder));
  return holder === undefined || isElsewhere(holder) || isAlive(holder.pid) ? holder : undefined;
}

function parseHolder(text: string | undefined): Holder | undefined {
  try {
    return text === undefined ? undefined : schema.parse(JSON.parse(text));
  } catch {
    // What is no holder's note has been left by nobody who is of use.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    // A signal of 0 only asks whether the process is there.
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user may not be asked, and is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether a holder runs on another machine or in a container: its process and its address mean nothing here. */
export const isElsewhere = ({ host }: Holder): boolean => host !== undefined && host !== hostname();

/** A holder in words, for whoever has to stop it. */
export function describeHolder(holder: Holder | undefined): string {
  if (holder === undefined) return "another process";
  const place = isElsewhere(holder) ? ` on the machine or in the container ${holder.host}` : "";
  return `process ${holder.pid}${place} (a ${holder.kind})`;
}

/** Removes the name of the directory's holder. */
export async function forgetHolder(dataDir: string): Promise<void> {
  await rm(join(dataDir, dataNames.holder), { force: true });
}
