import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { ClassicLevel } from "classic-level";
import * as z from "zod/mini";
import { parsedJson } from "../../lib/json-value.ts";
import { commands } from "../installation.ts";
import { isAlive } from "../process/is-alive.ts";
import { dataNames } from "./data-files.ts";
import { diskFull, isDiskFull } from "./full-disk.ts";
import { inDataDirectory, makeDirectory, unusableDirectory } from "./in-data-directory.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

const schema = z.object({
  pid: z.number(),
  /** A gateway runs until it is stopped; a command ends by itself. */
  kind: z.enum(["gateway", "command"]),
  /** The name of the machine or the container that runs the process. */
  host: z.optional(z.string()),
  endpoint: z.string(),
  accessKeyId: z.string(),
});

/** The process that holds a data directory, and its store's address and access key. */
export type Holder = Readonly<z.infer<typeof schema>>;

/** The kind of a process that holds a data directory. */
export type HolderKind = Holder["kind"];

/**
 * The lock directories that this process holds. It does not open them again: POSIX takes a lock from a process that
 * closes any descriptor of the file, and LevelDB closes one when it finds its own lock.
 */
const heldHere = new Set<string>();

/**
 * Takes the lock of a data directory, and returns the function that releases it; undefined when a living process,
 * this one too, has the lock. Creates a missing directory. Throws a `StartError` when the directory cannot be used. The
 * lock is that of an empty LevelDB: the operating system releases it when the process ends, even by `kill -9`. It is
 * never stale.
 */
export async function tryLock(dataDir: string): Promise<(() => Promise<void>) | undefined> {
  const path = resolve(dataDir, dataNames.lock);
  await inDataDirectory(dataDir, () => makeDirectory(path));
  if (heldHere.has(path)) return undefined;
  heldHere.add(path);
  const lock = new ClassicLevel(path);
  try {
    await lock.open();
    return async () => {
      await lock.close();
      heldHere.delete(path);
    };
  } catch (error) {
    heldHere.delete(path);
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    if (cause?.code === "LEVEL_LOCKED") return undefined;
    throw isDiskFull(error) ? diskFull(dataDir, error) : unusableDirectory(dataDir, cause ?? error);
  }
}

/** Writes the holder file, which only its owner may read: it says that this process holds the directory. */
export async function writeHolder(dataDir: string, holder: Omit<Holder, "pid" | "host">): Promise<void> {
  const own: Holder = { pid: process.pid, host: hostname(), ...holder };
  await writePrivateFile(dataDir, dataNames.holder, `${JSON.stringify(own)}\n`);
}

/** The holder of a locked directory; undefined while a new holder has not written its file. */
export async function readHolder(dataDir: string): Promise<Holder | undefined> {
  const holder = parseHolder(await readPrivateFile(dataDir, dataNames.holder));
  return holder === undefined || isElsewhere(holder) || isAlive(holder.pid) ? holder : undefined;
}

/** A file that is not a holder's is treated like a missing one. */
const parseHolder = (text = ""): Holder | undefined => schema.safeParse(parsedJson(text)).data;

/** Whether a holder runs on another machine or in another container: its process id and address mean nothing here. */
export const isElsewhere = ({ host }: Holder): boolean => host !== undefined && host !== hostname();

/** What a person knows each kind of holder by. */
const WORDS: Readonly<Record<HolderKind, string>> = {
  gateway: `an \`${commands.start}\``,
  command: "a command",
};

/** A holder in words, for the person who has to stop it. */
export function describeHolder(holder: Holder | undefined): string {
  if (holder === undefined) return "another process";
  const place = isElsewhere(holder) ? ` on the machine or in the container ${holder.host}` : "";
  return `process ${holder.pid}${place} (${WORDS[holder.kind]})`;
}

/** Removes the holder file of the directory. */
export async function forgetHolder(dataDir: string): Promise<void> {
  await rm(join(dataDir, dataNames.holder), { force: true });
}
