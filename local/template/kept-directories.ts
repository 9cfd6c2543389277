import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** What everything is made from: settings, and the packages that npm has installed, which may differ from the lock file. */
export const PROJECT_FILES = [
  "package.json",
  "package-lock.json",
  "node_modules/.package-lock.json",
  "tsconfig.json",
] as const;

/** Everything that a template or a bundle is made from. */
const SOURCES = ["infra", "functions", "lib", "cdk.json", ...PROJECT_FILES] as const;

/**
 * A digest of the project's sources, the settings and the version of Node; equal digests mean equal assemblies. Other
 * sources than those of the template are named by their paths from the project's root.
 */
export async function hashSources(
  projectRoot: string,
  settings: string,
  sources: readonly string[] = SOURCES,
): Promise<string> {
  const hash = createHash("sha256").update(settings).update(process.version);
  for (const source of sources) {
    // At once, because to wait for each of a thousand small files takes several times as long as to read it.
    for (const path of filesOf(projectRoot, source))
      hash.update(`\0${path}\0`).update(readFileSync(join(projectRoot, path)));
  }
  return hash.digest("hex").slice(0, 24);
}

/** Paths from the project's root, sorted; empty for a source that the project lacks. */
function filesOf(projectRoot: string, path: string): readonly string[] {
  try {
    const entries = readdirSync(join(projectRoot, path), { withFileTypes: true });
    const sorted = entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    return sorted.flatMap((entry) => {
      const below = `${path}/${entry.name}`;
      return entry.isFile() ? [below] : filesOf(projectRoot, below);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return [path];
    if (code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Directories that starts keep for each other, by the digests of what each was made from. Other starts may work beside
 * them at the same time, and may be killed. A directory comes by the renaming of a draft, and goes by becoming one.
 */

/** A draft of this age was left by a process that was killed. */
const DRAFT_MS_MAX = 3_600_000;

/** A name for a draft beside a kept directory. The names of drafts have a dot, digests do not. */
export const draftOf = (kept: string): string => `${kept}.${randomUUID()}`;

const isDraft = ({ name }: { readonly name: string }): boolean => name.includes(".");

/** Where directories are kept for other starts, which of them is wanted, and how many stay. */
export interface Keeping {
  readonly cacheDirectory: string;
  /** The digest of what it is made from. */
  readonly madeFrom: string;
  readonly nowMs: number;
  readonly keptMax: number;
  /** One that was used so lately stays, however many there are. */
  readonly heldMs?: number;
}

/**
 * What is in the kept directory or, if `read` fails on that, in a new one. A new one gets its name when it is whole,
 * in place of one that cannot be read.
 *
 * @param make fills an empty directory.
 */
export async function keptOrMade<Content>(
  keeping: Keeping,
  read: (directory: string) => Promise<Content>,
  make: (draft: string) => Promise<void>,
): Promise<Content> {
  const kept = join(keeping.cacheDirectory, keeping.madeFrom);
  const content = await read(kept).catch(() => made(kept, read, make));
  await pruneKept(keeping);
  return content;
}

async function made<Content>(
  kept: string,
  read: (directory: string) => Promise<Content>,
  make: (draft: string) => Promise<void>,
): Promise<Content> {
  const draft = draftOf(kept);
  try {
    await mkdir(draft, { recursive: true });
    await make(draft);
    const content = await read(draft);
    // Another start may have been faster: what it made is in use by now.
    await read(kept)
      .catch(() => removeKept(kept))
      .catch(() => {});
    await rename(draft, kept).catch(() => {});
    return content;
  } finally {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
  }
}

/** Removes a kept directory, if it is there. It is renamed first, so that no half-deleted one has its name. */
export async function removeKept(kept: string): Promise<void> {
  const draft = draftOf(kept);
  try {
    await rename(kept, draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  await rm(draft, { recursive: true, force: true });
}

/** Marks a kept directory as used, and removes the least recently used ones and abandoned drafts, as far as it can. */
export async function pruneKept(keeping: Keeping): Promise<void> {
  const { cacheDirectory, madeFrom, nowMs, keptMax, heldMs = 0 } = keeping;
  await markUsed(join(cacheDirectory, madeFrom), nowMs);
  const names = await readdir(cacheDirectory).catch(() => []);
  const dated = await Promise.all(
    names.map(async (name) => ({ name, usedMs: await usedMsOf(join(cacheDirectory, name)) })),
  );
  const newestFirst = dated.sort((one, other) => other.usedMs - one.usedMs);
  const [drafts, kept] = [newestFirst.filter(isDraft), newestFirst.filter((entry) => !isDraft(entry))];
  for (const { name, usedMs } of kept.slice(keptMax))
    if (nowMs - usedMs >= heldMs) await removeKept(join(cacheDirectory, name)).catch(() => {});
  for (const { name, usedMs } of drafts)
    if (nowMs - usedMs > DRAFT_MS_MAX)
      await rm(join(cacheDirectory, name), { recursive: true, force: true }).catch(() => {});
}

/** Marks a kept directory as used. */
export const markUsed = (kept: string, nowMs: number): Promise<void> =>
  utimes(kept, nowMs / 1000, nowMs / 1000).catch(() => {});

const usedMsOf = async (path: string): Promise<number> =>
  (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
