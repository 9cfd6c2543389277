import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { draftOf, pruneKept, removeKept } from "../template/kept-directories.ts";
import { hashSources } from "../template/source-hash.ts";

/** Everything that the code of `npm start` is made from. */
const SOURCES = [
  "client/src",
  "infra",
  "lib",
  "local",
  "ops",
  "package.json",
  "package-lock.json",
  "node_modules/.package-lock.json",
  "tsconfig.json",
] as const;
/** Builds kept for later starts: enough for the branches that a developer switches between. */
const KEPT_MAX = 3;

/** The file that is written last: the size of each other file, by its path. */
const LIST_NAME = "files.json";

export interface BuiltCodeOptions {
  readonly projectRoot: string;
  /** Where builds are kept for other starts, which may work there at the same time. */
  readonly cacheDirectory: string;
  readonly clock: Clock;
  /** Whether nothing else in this process builds with esbuild, so that its own process can end after a build. */
  readonly isOnlyBuilder?: boolean;
}

/**
 * The directory of the built code of a clone: the kept build of these sources, or a new one. Rejects where none can be
 * made, as where nothing can be written or a source has a mistake; the sources themselves then say more.
 */
export async function builtCode({
  projectRoot,
  cacheDirectory,
  clock,
  isOnlyBuilder = false,
}: BuiltCodeOptions): Promise<string> {
  // The code names files of its project by their whole paths.
  const madeFrom = await hashSources(projectRoot, projectRoot, SOURCES);
  const kept = join(cacheDirectory, madeFrom);
  if (!(await isWhole(kept))) {
    await build(projectRoot, kept, isOnlyBuilder);
    await pruneKept(cacheDirectory, madeFrom, { nowMs: clock(), keptMax: KEPT_MAX });
  }
  return kept;
}

/** A build is renamed to its place when it is whole. There it replaces one that is not, or an equal one. */
async function build(projectRoot: string, kept: string, isOnlyBuilder: boolean): Promise<void> {
  const { buildCode, endBuilder } = await import("./build-code.ts");
  const draft = draftOf(kept);
  try {
    await mkdir(draft, { recursive: true });
    await buildCode(projectRoot, draft);
    await writeFile(join(draft, LIST_NAME), JSON.stringify([...(await sizesIn(draft))]));
    await removeKept(kept).catch(() => {});
    // Another start may have been faster.
    await rename(draft, kept).catch(() => {});
  } finally {
    if (isOnlyBuilder) await endBuilder();
    await rm(draft, { recursive: true, force: true });
  }
}

async function sizesIn(directory: string): Promise<ReadonlyMap<string, number>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sized = paths.map(
    async (path) => [path.slice(directory.length + 1), (await stat(path)).size] as const,
  );
  return new Map(await Promise.all(sized));
}

/** Whether a build has every file as long as it was written. */
async function isWhole(directory: string): Promise<boolean> {
  try {
    const text = await readFile(join(directory, LIST_NAME), "utf8");
    const listed = JSON.parse(text) as readonly (readonly [path: string, bytes: number])[];
    const found = await sizesIn(directory);
    return listed.every(([path, bytes]) => found.get(path) === bytes);
  } catch {
    return false;
  }
}
