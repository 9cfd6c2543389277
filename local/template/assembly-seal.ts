import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import * as z from "zod/mini";

/** The file that is written last: what an assembly was made from, and the digest of each of its files. */
const SEAL_NAME = "seal.json";

const schema = z.object({ madeFrom: z.string(), files: z.record(z.string(), z.string()) });

/** Says of an assembly that all of it is there. `madeFrom` is the digest of what it was made from. */
export async function sealAssembly(directory: string, madeFrom: string): Promise<void> {
  const seal: z.infer<typeof schema> = { madeFrom, files: Object.fromEntries(await digestsOf(directory)) };
  await writeFile(join(directory, SEAL_NAME), JSON.stringify(seal));
}

/** Whether a directory holds the assembly of these sources, every file of it as it was when it was sealed. */
export async function isWhole(directory: string, madeFrom: string): Promise<boolean> {
  try {
    const seal = schema.parse(JSON.parse(await readFile(join(directory, SEAL_NAME), "utf8")));
    if (seal.madeFrom !== madeFrom) return false;
    const found = await digestsOf(directory);
    return Object.entries(seal.files).every(([path, digest]) => found.get(path) === digest);
  } catch {
    // Whatever keeps it from being read keeps it from being served.
    return false;
  }
}

/** The digest of each file under a directory, by its path from there. */
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
