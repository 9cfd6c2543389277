import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Clock } from "../../lib/clock.ts";
import { hashSources, keptOrMade, PROJECT_FILES } from "../template/kept-directories.ts";
import { type PageFiles, readPageFiles } from "./page-files.ts";

/** Everything that the page is made from: its own files, the folders that it may import from, and the packages. */
const SOURCES = [
  ..."src index.html build-page.ts vite.config.ts markdown-plugin.ts render-markdown.ts try-links.ts tsconfig.json"
    .split(" ")
    .map((name) => `page/${name}`),
  "docs/reference.md",
  "docs/api",
  "client/src",
  "lib",
  "local",
  "ops",
  ...PROJECT_FILES,
] as const;
/** Builds kept for later starts: enough for the branches that a developer switches between. */
const KEPT_MAX = 3;

export interface PageBuildOptions {
  readonly projectRoot: string;
  /** Where builds are kept for other starts, which may work there at the same time. */
  readonly cacheDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Called when no kept build can be used, before a new one begins. */
  readonly building: () => void;
  readonly signal: AbortSignal;
}

/** The page could not be built. The message ends with the builder's output. */
class PageBuildError extends Error {
  override readonly name = "PageBuildError";
}

/**
 * The built page of a clone: the kept build of these sources or a new one, which a process of its own makes so that
 * requests are answered meanwhile.
 *
 * @throws {PageBuildError} when the builder fails. Once the signal is aborted, the builder is ended and this rejects.
 */
export async function buildKeptPage(options: PageBuildOptions): Promise<PageFiles> {
  const { projectRoot, cacheDirectory, clock, building } = options;
  const madeFrom = await hashSources(projectRoot, "page", SOURCES);
  const keeping = { cacheDirectory, madeFrom, nowMs: clock(), keptMax: KEPT_MAX };
  return keptOrMade(keeping, readPageFiles, async (draft) => {
    building();
    await runBuilder(options, draft);
  });
}

async function runBuilder(
  { projectRoot, environment, signal }: PageBuildOptions,
  directory: string,
): Promise<void> {
  const builder = spawn(process.execPath, ["page/build-page.ts", directory], {
    cwd: projectRoot,
    env: { ...environment, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  const [printed, complained, [code]] = await Promise.all([
    text(builder.stdout),
    text(builder.stderr),
    once(builder, "close"),
  ]);
  if (code !== 0)
    throw new PageBuildError(`The page could not be built:\n${`${printed}${complained}`.trim()}`);
}
