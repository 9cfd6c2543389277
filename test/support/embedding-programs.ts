import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { InstalledPackage } from "./installed-package.ts";
import { projectPath } from "./project.ts";

const docs = projectPath("docs");

/** The shortest program, which docs/embedding.md shows. */
export const shortestProgram = (): string =>
  /^```js\n(.*?)^```/ms.exec(readFileSync(join(docs, "embedding.md"), "utf8"))?.[1] ?? "";

/** A test file for a reader to copy. No runner of the package finds it by its name: publint refuses tests in one. */
export const programOf = (name: string): string =>
  readFileSync(join(docs, "examples/embedding", name), "utf8");

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
