import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build } from "esbuild";

const entry = resolve(import.meta.dirname, "../../embed/index.ts");

/** Puts the part of `countinghouse` that tests import into a project, for both kinds of modules; its thread runs the clone. */
export async function installEmbedding(project: string): Promise<void> {
  const directory = join(project, "node_modules/countinghouse");
  mkdirSync(directory, { recursive: true });
  const exported = { import: "./index.mjs", require: "./index.cjs" };
  writeFileSync(
    join(directory, "package.json"),
    JSON.stringify({ name: "countinghouse", exports: exported }),
  );
  const define = { "import.meta.url": JSON.stringify(pathToFileURL(entry).href) };
  const common: BuildOptions = { entryPoints: [entry], bundle: true, platform: "node", define };
  await build({ ...common, format: "esm", outfile: join(directory, "index.mjs") });
  await build({ ...common, format: "cjs", outfile: join(directory, "index.cjs") });
}
