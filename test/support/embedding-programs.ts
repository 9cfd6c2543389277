import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { InstalledPackage } from "./installed-package.ts";

const document = readFileSync(resolve(import.meta.dirname, "../../docs/embedding.md"), "utf8");

/** The programs of docs/embedding.md: the first has no name, the others are test files. */
const programs = new Map(
  [...document.matchAll(/^```js ?(\S*)\n(.*?)^```/gms)].map(([, name = "", code = ""]) => [name, code]),
);

/**
 * The program of a name.
 *
 * @throws {Error} when the document has none.
 */
export function programOf(name: string): string {
  const program = programs.get(name);
  if (program === undefined) throw new Error(`docs/embedding.md has no program ${name}.`);
  return program;
}

/** Writes a program into the project that has the package, and runs a line there, with the exit code of a CI. */
export function runProgram(
  installed: InstalledPackage,
  name: string,
  code: string,
  { line = `node ${name}`, node = process.execPath }: { readonly line?: string; readonly node?: string } = {},
): ReturnType<InstalledPackage["shell"]> {
  writeFileSync(join(installed.folder, name), code);
  return installed.shell(`CI=true ${line}`, node);
}
