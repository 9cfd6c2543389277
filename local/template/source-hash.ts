import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Everything that a template or a bundle is made from. */
const SOURCES = [
  "infra",
  "functions",
  "lib",
  "package.json",
  "package-lock.json",
  // The packages that npm has installed, which may differ from the lock file.
  "node_modules/.package-lock.json",
  "cdk.json",
  "tsconfig.json",
] as const;

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
    for (const path of await filesOf(projectRoot, source)) {
      hash.update(`\0${path}\0`).update(await readFile(join(projectRoot, path)));
    }
  }
  return hash.digest("hex").slice(0, 24);
}

/** Paths from the project's root, sorted; empty for a source that the project lacks. */
async function filesOf(projectRoot: string, path: string): Promise<string[]> {
  try {
    const entries = await readdir(join(projectRoot, path), { withFileTypes: true });
    const names = entries.map(({ name }) => name).sort();
    return (await Promise.all(names.map((name) => filesOf(projectRoot, `${path}/${name}`)))).flat();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return [path];
    if (code === "ENOENT") return [];
    throw error;
  }
}
