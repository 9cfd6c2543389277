import { cp, mkdtempDisposable, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { processEnvironment } from "../../local/options.ts";
import { placeholders } from "../../local/template/local-application.ts";
import { localStageSettings } from "../../local/template/local-stage.ts";
import { synthesize } from "../../local/template/synthesis.ts";
import { projectRoot } from "./bundle.ts";

/** The entries of an assembly that the local service reads: the manifests, the templates, and the bundles. */
const READ = /^(?:manifest\.json|.*\.(?:template|assets)\.json|asset\..*)$/;

/** Synthesizes the template with placeholders, and copies what the local service reads of it into a folder. */
export async function writeAssembly(folder: string, report: (line: string) => void): Promise<void> {
  await using dataDir = await mkdtempDisposable(join(tmpdir(), "countinghouse-package-"));
  const assembly = await synthesize({
    projectRoot,
    dataDir: dataDir.path,
    cacheDirectory: join(projectRoot, "node_modules/.cache/countinghouse"),
    stage: localStageSettings(placeholders),
    environment: processEnvironment,
    clock: systemClock,
    report,
  });
  const names = (await readdir(assembly)).filter((name) => READ.test(name));
  for (const name of names) await cp(join(assembly, name), join(folder, name), { recursive: true });
}
