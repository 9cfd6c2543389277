import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { writeAssembly } from "./assembly.ts";
import { bundle, bundledPackages, projectRoot } from "./bundle.ts";
import { joinDeclarations } from "./join-declarations.ts";
import { keptLinks } from "./kept-links.ts";
import { manifestOf } from "./manifest.ts";

/** A package that was built. */
export interface Packed {
  /** The directory of its files, as they are when it is installed. */
  readonly directory: string;
  /** The path of the tarball. */
  readonly tarball: string;
  readonly tarballBytes: number;
  /** What the files take once they are unpacked. */
  readonly installedBytes: number;
}

/** Files of the project that the package reads at run time, or that a reader looks for, with their place in it. */
const COPIED: Readonly<Record<string, string>> = {
  "publish/package/README.md": "README.md",
  LICENSE: "LICENSE",
  docs: "docs",
  "node_modules/classic-level/prebuilds": "native/prebuilds",
};

const inProject = (path: string): string => join(projectRoot, path);

/**
 * Builds the npm package into `dist` of a directory and packs it beside that folder. `say` receives lines about progress.
 *
 * @throws {Error} when a step fails, with its output.
 */
export async function buildPackage(directory: string, say: (line: string) => void): Promise<Packed> {
  const dist = join(directory, "dist");
  await rm(dist, { recursive: true, force: true });
  await mkdir(join(dist, "code"), { recursive: true });
  say("Building the code …");
  const libraries = await writeCode(dist);
  await writeAssembly(join(dist, "assembly"), say);
  await writeTypes(join(dist, "types"));
  await buildPage(join(dist, "page"));
  for (const [from, to] of Object.entries(COPIED))
    await cp(inProject(from), join(dist, to), { recursive: true });
  await keepLinks(dist);
  await writeManifest(dist);
  await writeSbom(dist, libraries);
  const tarball = await pack(dist, directory);
  const { size: tarballBytes } = await stat(tarball);
  return { directory: dist, tarball, tarballBytes, installedBytes: await sizeOf(dist) };
}

/** @returns the directories of the libraries that are in the code. */
async function writeCode(dist: string): Promise<readonly string[]> {
  const built = await bundle(join(dist, "code"));
  const program = join(dist, "code/cli.mjs");
  await copyFile(inProject("publish/package/cli.mjs"), program);
  await chmod(program, 0o755);
  const libraries = bundledPackages(built).map(inProject);
  await writeFile(join(dist, "THIRD-PARTY-LICENSES.txt"), await licenceTexts(libraries));
  return libraries;
}

/**
 * Lists what is in the code and the page for programs (CycloneDX); `npm sbom` would list what is installed in the clone. It has
 * neither an instant nor a number of its own, so that the same sources make the same bytes.
 */
async function writeSbom(dist: string, libraries: readonly string[]): Promise<void> {
  const licences = await readFile(join(dist, "page/licenses.md"), "utf8");
  const ofPage = Array.from(
    licences.matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm),
    ([, name = "", version = "", license = ""]) => ({ name, version, license }),
  );
  const parts = [...(await Promise.all([dist, ...libraries].map(partIn))), ...ofPage];
  const [component, ...components] = new Map(
    parts.map(({ name, version, license }, at) => {
      const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
      const type = at === 0 ? "application" : "library";
      return [purl, { type, name, version, purl, licenses: [{ expression: license }] }];
    }),
  ).values();
  const head = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata: { component } };
  await writeFile(join(dist, "sbom.cdx.json"), `${JSON.stringify({ ...head, components }, null, 2)}\n`);
}

/** Takes the links out of the documents that lead to what only a clone has. */
async function keepLinks(dist: string): Promise<void> {
  const paths = (await readdir(dist, { recursive: true })).map((path) => path.split(sep).join("/"));
  const documents = paths.filter((path) => path === "README.md" || /^docs\/.*\.md$/.test(path));
  for (const path of documents) {
    const file = join(dist, path);
    await writeFile(
      file,
      keptLinks(await readFile(file, "utf8"), path, (place) => existsSync(join(dist, place))),
    );
  }
}

/** The types of the module that programs import, for both kinds of modules. */
async function writeTypes(folder: string): Promise<void> {
  const emitted = join(folder, "emitted");
  const compiler = inProject("node_modules/typescript/bin/tsc");
  await run(process.execPath, [compiler, "--project", "publish/package", "--outDir", emitted], projectRoot);
  const paths = (await readdir(emitted, { recursive: true })).filter((path) => path.endsWith(".d.ts"));
  const files = await Promise.all(
    paths.map(
      async (path) => [path.split(sep).join("/"), await readFile(join(emitted, path), "utf8")] as const,
    ),
  );
  await rm(emitted, { recursive: true });
  const joined = joinDeclarations(Object.fromEntries(files), "publish/embed/index.d.ts");
  for (const name of ["index.d.ts", "index.d.cts"]) await writeFile(join(folder, name), joined);
}

const buildPage = (folder: string): Promise<string> =>
  run(process.execPath, ["page/build-page.ts", folder], projectRoot);

async function writeManifest(dist: string): Promise<void> {
  const project = JSON.parse(await readFile(inProject("package.json"), "utf8"));
  await writeFile(join(dist, "package.json"), `${JSON.stringify(manifestOf(project), null, 2)}\n`);
}

/** Packs what was built, in the place of an earlier version. @returns the tarball's path. */
async function pack(dist: string, directory: string): Promise<string> {
  for (const name of await readdir(directory))
    if (/^countinghouse-.*\.tgz$/.test(name)) await rm(join(directory, name));
  const printed = await run(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", directory],
    dist,
  );
  const [{ filename }] = JSON.parse(printed);
  return join(directory, filename);
}

/** Runs a command. @returns what it printed. @throws {Error} with that, and what it complained of, unless it ends well. */
async function run(command: string, args: readonly string[], directory: string): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd: directory })).stdout;
  } catch (error) {
    // The message has what it complained of.
    const { message, stdout } = error as Error & { readonly stdout: string };
    throw new Error(`${message}\n${stdout}`, { cause: error });
  }
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)\b/i;

/** The names, versions and licences of libraries, as their licences ask those who hand on a copy to repeat them. */
async function licenceTexts(directories: readonly string[]): Promise<string> {
  const parts = await Promise.all(directories.map(licenceText));
  return `The code of this package contains the following libraries.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

async function partIn(directory: string) {
  const manifest = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const { name, version, license = "no licence named" } = manifest;
  // An older form names it in an object.
  return { name, version, license: license.type ?? license };
}

async function licenceText(directory: string): Promise<string> {
  const { name, version, license } = await partIn(directory);
  const files = (await readdir(directory)).filter((file) => LICENCE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), "utf8")));
  return [`${name} ${version} (${license})\n`, ...texts.map((text) => `\n${text.trim()}\n`)].join("");
}
