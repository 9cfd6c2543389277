import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { referenceFiles } from "./reference-files.ts";

// Everything that integrators read has one source: the contracts, the shapes that records are checked against, the texts of
// this folder, and answers of the local service. A test fails where a written file is stale.

const projectRoot = join(import.meta.dirname, "../..");

for (const [path, text] of Object.entries(await referenceFiles())) {
  await mkdir(dirname(join(projectRoot, path)), { recursive: true });
  await writeFile(join(projectRoot, path), text);
  console.log(path);
}
