import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../process/start-error.ts";
import { shQuoted } from "../terminal/sh-quoted.ts";
import { dataNames, isPrivateFileName, ownNames } from "./data-files.ts";
import { inDataDirectory } from "./in-data-directory.ts";

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

const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;

/** Another user has prepared a data directory or an entry of it, or may have. */
export class UntrustedEntry extends StartError {
  override readonly name = "UntrustedEntry";
}

/** What tells whose an entry is. */
interface Entry {
  readonly uid: number;
  readonly mode: number;
  isSymbolicLink(): boolean;
}

/** This process's user, and how it looks at entries. */
interface Onlooker {
  /** Undefined on systems without user ids, such as Windows, which have other rules. */
  readonly uid: number | undefined;
  readonly look: (path: string) => Promise<Entry>;
}

/**
 * Makes sure that nobody else can have prepared a data directory and these entries of it: whoever did would know the
 * service's keys, and a link would turn what is written elsewhere. What does not exist passes. Only the path of the
 * directory may be a link, of this user or of root.
 *
 * @throws {UntrustedEntry} that names the entry and says what to do.
 */
export async function requireOwnEntries(
  dataDir: string,
  names: readonly string[],
  { uid, look }: Onlooker = { uid: process.getuid?.(), look: lstat },
): Promise<void> {
  if (uid === undefined) return;
  const named = await entryAt(dataDir, look);
  if (named === undefined) return;
  if (named.isSymbolicLink() && named.uid !== ROOT) requireOwner(dataDir, named, { uid, dataDir });
  const directory = named.isSymbolicLink() ? await stat(dataDir) : named;
  requireOwner(dataDir, directory, { uid, dataDir });
  requireClosed(dataDir, directory);
  for (const name of names) {
    const path = join(dataDir, name);
    const entry = await entryAt(path, look);
    if (entry === undefined) continue;
    requireOwner(path, entry, { uid, dataDir });
    if (entry.isSymbolicLink())
      throw new UntrustedEntry(`${path} is a link, which no data directory has. Delete it, or ${ANOTHER}.`);
    // With a umask of 002 a group may write the rest, which is as safe as the project's files.
    if (isPrivateFileName(name)) requireClosed(path, entry);
  }
}

const entryAt = (path: string, look: Onlooker["look"]): Promise<Entry | undefined> =>
  look(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });

const ANOTHER = "name another directory with --data; one that does not exist yet is made for you alone";

function requireOwner(
  path: string,
  entry: Entry,
  { uid, dataDir }: { readonly uid: number; readonly dataDir: string },
): void {
  if (entry.uid === uid) return;
  throw new UntrustedEntry(
    `${path} belongs to user ${entry.uid}, and this process to user ${uid}: another user's keys are not used. Start as user ${entry.uid}, or ${ANOTHER}. If you know what it holds, take it over: chown -R ${uid} ${shQuoted(dataDir)}`,
  );
}

function requireClosed(path: string, { mode }: Entry): void {
  if ((mode & WRITABLE_BY_OTHERS) === 0) return;
  throw new UntrustedEntry(
    `${path} can be written by other users (mode ${(mode & 0o777).toString(8)}), who may have put keys there. If nobody has, close it: chmod go-w ${shQuoted(path)}. Otherwise ${ANOTHER}.`,
  );
}
