import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
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
