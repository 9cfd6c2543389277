import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { hashSources, keptOrMade, markUsed, PROJECT_FILES } from "../template/kept-directories.ts";

/** Everything that the code of `npm start` is made from. */
const SOURCES = [
  "client/src",
  "infra",
  "lib",
  "local",
  "ops",
  "publish/embed",
  "publish/worlds",
  ...PROJECT_FILES,
] as const;
/** Builds kept for later starts: enough for the branches that a developer switches between. */
const KEPT_MAX = 3;
/** A build that runs is marked as used several times in this time. */
const HELD_MS = 3_600_000;

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
  const keeping = { cacheDirectory, madeFrom, nowMs: clock(), keptMax: KEPT_MAX, heldMs: HELD_MS };
  await keptOrMade(keeping, requireWhole, (draft) => build(projectRoot, draft, isOnlyBuilder));
  return join(cacheDirectory, madeFrom);
}

/** Keeps a build for as long as this process runs: it starts threads from it, while others build from newer sources. */
export function holdCode(directory: string, clock: Clock): void {
  setInterval(() => void markUsed(directory, clock()), HELD_MS / 6).unref();
}

async function build(projectRoot: string, draft: string, isOnlyBuilder: boolean): Promise<void> {
  const { buildCode, endBuilder } = await import("./build-code.ts");
  try {
    await buildCode(projectRoot, draft);
    await writeFile(join(draft, LIST_NAME), JSON.stringify([...(await sizesIn(draft))]));
  } finally {
    if (isOnlyBuilder) await endBuilder();
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

/** Rejects for a build that does not have every file as long as it was written. */
async function requireWhole(directory: string): Promise<void> {
  const text = await readFile(join(directory, LIST_NAME), "utf8");
  const listed = JSON.parse(text) as readonly (readonly [path: string, bytes: number])[];
  const found = await sizesIn(directory);
  if (listed.some(([path, bytes]) => found.get(path) !== bytes)) throw new Error("The build is not whole.");
}
