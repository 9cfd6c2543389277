import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { scalingFiles } from "./scaling-files.ts";

const projectRoot = join(import.meta.dirname, "..");

for (const [path, text] of Object.entries(await scalingFiles())) {
  await mkdir(dirname(join(projectRoot, path)), { recursive: true });
  await writeFile(join(projectRoot, path), text);
  console.log(path);
}
