import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Commands, Places } from "../../local/installation.ts";
import { programName, shownPath } from "./program-name.ts";

/**
 * What stands in the npm package for `local/installation.ts`, with the same exports. The built code lies in one folder of
 * the package, beside the folders of the files that it reads.
 */
const packageRoot = resolve(import.meta.dirname, "..");
const program = join(packageRoot, "code/cli.mjs");

export const version: string = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")).version;

const name = programName({
  packageRoot,
  directory: process.cwd(),
  environment: process.env,
  readManifest: (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined),
});
const direct = [process.execPath, program];

export const commands: Commands = {
  start: name,
  startWith: name,
  ops: name,
  quietOps: name,
  fromAnywhere: { sh: direct, direct },
  scripts: { start: ["npx"], ops: ["npx"] },
};

export const places: Places = {
  template: { readyAssembly: join(packageRoot, "assembly") },
  records: join(packageRoot, "docs/examples/records"),
  // Stage files belong to a clone: they are looked for where the command is called.
  stages: resolve("infra/stages"),
  documents: join(packageRoot, "docs"),
  shownDocuments: shownPath(join(packageRoot, "docs"), process.cwd()),
  page: { readyPage: join(packageRoot, "page") },
  storeThread: new URL("./engine-worker.mjs", import.meta.url),
  functionThread: new URL("./execution-worker.mjs", import.meta.url),
  tradesThread: new URL("./trades-worker.mjs", import.meta.url),
};
