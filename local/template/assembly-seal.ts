import { createHash } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import * as z from "zod/mini";
import { StartError } from "../process/start-error.ts";
import { readAssembly } from "./assembly.ts";

/** The file that is written last: the digest of an assembly's sources, and a digest of each of its files. */
const SEAL_NAME = "seal.json";

const schema = z.object({ madeFrom: z.string(), files: z.record(z.string(), z.string()) });

/**
 * Marks an assembly as complete. `madeFrom` is the digest of its sources.
 *
 * @throws {StartError} when a file that the assembly names is missing, as when its directory was removed while it was
 * written: sealed, the rest would be served and kept for other starts.
 */
export async function sealAssembly(directory: string, madeFrom: string): Promise<void> {
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
export async function isWhole(directory: string, madeFrom: string): Promise<boolean> {
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
