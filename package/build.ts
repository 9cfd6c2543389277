import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { writeAssembly } from "./assembly.ts";
import { bundle, bundledPackages, hasEmbedding, projectRoot } from "./bundle.ts";
import { licenceTexts } from "./licences.ts";
import { manifestOf } from "./manifest.ts";

/** `npm run package`: builds the npm package into `package/dist/`, packs it, and prints the tarball's path and sizes. */
const here = import.meta.dirname;
const dist = join(here, "dist");
const inDist = (...parts: readonly string[]): string => join(dist, ...parts);
const inProject = (path: string): string => join(projectRoot, path);
const say = (line: string): void => console.log(line);

/** Files of the project that the package reads at run time, or that a reader looks for, by their place in it. */
const COPIED: Readonly<Record<string, string>> = {
  "package/README.md": "README.md",
  LICENSE: "LICENSE",
  docs: "docs",
  "examples/records": "examples/records",
  "node_modules/classic-level/prebuilds": "native/prebuilds",
};

async function run(command: string, args: readonly string[], directory: string): Promise<string> {
  const child = spawn(command, args, { cwd: directory, stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${printed}`);
  return printed;
}

async function writeCode(): Promise<void> {
  const built = await bundle(inDist("code"));
  await copyFile(join(here, "cli.mjs"), inDist("code/cli.mjs"));
  await chmod(inDist("code/cli.mjs"), 0o755);
  const directories = bundledPackages(built).map(inProject);
  await writeFile(inDist("THIRD-PARTY-LICENSES.txt"), await licenceTexts(directories));
}

/** The page's files, if the project has a page. */
async function writePage(): Promise<void> {
  if (!existsSync(inProject("page/vite.config.ts"))) return;
  await run("npx", ["vite", "build", "page", "--logLevel", "warn"], projectRoot);
  await cp(inProject("page/dist"), inDist("page"), { recursive: true });
}

async function writeManifest(): Promise<void> {
  const project = JSON.parse(await readFile(inProject("package.json"), "utf8"));
  await writeFile(
    inDist("package.json"),
    `${JSON.stringify(manifestOf(project, hasEmbedding()), null, 2)}\n`,
  );
}

/** Packs what was built. @returns the tarball's path. */
async function pack(): Promise<string> {
  const printed = await run("npm", ["pack", "--json", "--pack-destination", here], dist);
  const [{ filename }] = JSON.parse(printed);
  return join(here, filename);
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

await rm(dist, { recursive: true, force: true });
await mkdir(inDist("code"), { recursive: true });
say("Building the code …");
await writeCode();
await writeAssembly(inDist("assembly"), say);
await writePage();
for (const [from, to] of Object.entries(COPIED)) await cp(inProject(from), inDist(to), { recursive: true });
await writeManifest();
const tarball = await pack();
say(
  `${relative(process.cwd(), tarball)}: ${megabytes((await stat(tarball)).size)}, ${megabytes(await sizeOf(dist))} installed`,
);
