import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { referenceFiles } from "./reference-files.ts";

const projectRoot = join(import.meta.dirname, "..");

for (const [path, text] of Object.entries(await referenceFiles())) {
  await mkdir(dirname(join(projectRoot, path)), { recursive: true });
  await writeFile(join(projectRoot, path), text);
  console.log(path);
}
