import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import * as z from "zod/mini";
import type { Clock } from "../../lib/clock.ts";
import { StartError } from "../process/start-error.ts";
import { dataNames } from "../store/data-files.ts";
import { inDataDirectory } from "../store/in-data-directory.ts";
import { readAssembly } from "./assembly.ts";
import { draftOf, hashSources, pruneKept, removeKept } from "./kept-directories.ts";

/** Assemblies kept for later starts: enough for the brands or branches that a developer switches between. */
const KEPT_MAX = 4;

export interface SynthesisOptions {
  readonly projectRoot: string;
  /** A data directory that this process holds. The assembly is written into it. */
  readonly dataDir: string;
  /** Where copies are kept for other starts. No other program may write there; a start works without the copies too. */
  readonly cacheDirectory: string;
  /** The stage's settings, as a stage file has them. */
  readonly stage: object;
  /** Environment variables of the CDK app, beside those that are set here. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Receives a line about progress for the user. */
  readonly report: (line: string) => void;
}

/**
 * The cloud assembly of a stage, as a directory in the data directory. While this process holds the data directory, the
 * assembly stays as it is, whatever happens to the sources, the installed packages and other starts. The CDK app runs,
 * in its own process, only when sources or settings have changed, or when the assembly is not whole because a process
 * was killed or a file was removed.
 *
 * @throws {StartError} when the app fails. The message ends with the app's output.
 */
export async function synthesize(options: SynthesisOptions): Promise<string> {
  const { projectRoot, dataDir, cacheDirectory, clock, report } = options;
  const settings = JSON.stringify(options.stage, null, 2);
  const madeFrom = await hashSources(projectRoot, settings);
  const place = join(dataDir, dataNames.assembly);
  const assembly = join(place, madeFrom);
  const kept = join(cacheDirectory, madeFrom);
  await inDataDirectory(dataDir, async () => {
    if (await isWhole(assembly, madeFrom)) return;
    await rm(place, { recursive: true, force: true });
    await mkdir(place);
    if (await copyKept(kept, assembly, madeFrom)) return;
    report("Synthesizing the template (once for each change of the sources) …");
    // The app of a killed start may still write, but into a draft of another name, which is gone.
    const draft = join(place, randomUUID());
    await build(options, settings, draft);
    await sealAssembly(draft, madeFrom);
    await rename(draft, assembly);
    await keepCopy(assembly, kept);
  });
  await pruneKept({ cacheDirectory, madeFrom, nowMs: clock(), keptMax: KEPT_MAX });
  return assembly;
}

/**
 * Copies a kept assembly into a directory. Other starts, checkouts and users may work on what is kept at the same time, and
 * may be killed.
 *
 * @returns whether the copy is whole; one that is not is removed again.
 */
async function copyKept(kept: string, directory: string, madeFrom: string): Promise<boolean> {
  await cp(kept, directory, { recursive: true }).catch(() => {});
  if (await isWhole(directory, madeFrom)) return true;
  await rm(directory, { recursive: true, force: true });
  return false;
}

/** Keeps a copy of an assembly for other starts. Without one, the next start synthesizes again. */
async function keepCopy(directory: string, kept: string): Promise<void> {
  const draft = draftOf(kept);
  try {
    await mkdir(dirname(kept), { recursive: true });
    await cp(directory, draft, { recursive: true });
    await removeKept(kept);
    await rename(draft, kept);
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
  }
}

async function build(
  { projectRoot, environment }: SynthesisOptions,
  settings: string,
  directory: string,
): Promise<void> {
  await mkdir(directory);
  const stageFile = join(directory, "stage.json");
  await writeFile(stageFile, settings);
  const env = { ...environment, CDK_OUTDIR: directory, STAGE_FILE: stageFile, SYNTH_FOR: "serving" };
  await promisify(execFile)(process.execPath, ["infra/app.ts"], { cwd: projectRoot, env }).catch(
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
      throw new StartError(`The template could not be synthesized:\n${`${stdout}${stderr}`.trim()}`);
    },
  );
}

/** The file that is written last: the digest of an assembly's sources, and a digest of each of its files. */
const SEAL_NAME = "seal.json";

const schema = z.object({ madeFrom: z.string(), files: z.record(z.string(), z.string()) });

/**
 * Marks an assembly as complete. `madeFrom` is the digest of its sources.
 *
 * @throws {StartError} when a file that the assembly names is missing, as when its directory was removed while it was
 * written: sealed, the rest would be served and kept for other starts.
 */
async function sealAssembly(directory: string, madeFrom: string): Promise<void> {
  await requireAssets(directory);
  const seal: z.infer<typeof schema> = { madeFrom, files: Object.fromEntries(await digestsOf(directory)) };
  await writeFile(join(directory, SEAL_NAME), JSON.stringify(seal));
}

async function requireAssets(directory: string): Promise<void> {
  for (const path of namedAssets(directory)) if (!(await isThere(path))) throw removed(directory, path);
}

function namedAssets(directory: string): ReadonlySet<string> {
  try {
    return new Set(readAssembly(directory).flatMap(({ assets }) => [...assets.values()]));
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    throw code === "ENOENT" && path !== undefined ? removed(directory, path) : error;
  }
}

const removed = (directory: string, path: string): StartError =>
  new StartError(`${relative(directory, path)} was removed while the template was synthesized. Start again.`);

/** Whether an asset is there: a file, or a directory that is not empty. */
async function isThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ? (await readdir(path)).length > 0 : found !== undefined;
}

/** Whether a directory holds the assembly of these sources, with every file as it was when it was sealed. */
async function isWhole(directory: string, madeFrom: string): Promise<boolean> {
  try {
    const seal = schema.parse(JSON.parse(await readFile(join(directory, SEAL_NAME), "utf8")));
    if (seal.madeFrom !== madeFrom) return false;
    const found = await digestsOf(directory);
    return Object.entries(seal.files).every(([path, digest]) => found.get(path) === digest);
  } catch {
    // An assembly that cannot be read cannot be served either.
    return false;
  }
}

/** The digest of each file under a directory, by the path from that directory. */
async function digestsOf(directory: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const digests = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const digest = createHash("sha256").update(await readFile(path));
    digests.set(relative(directory, path), digest.digest("base64"));
  }
  return digests;
}
