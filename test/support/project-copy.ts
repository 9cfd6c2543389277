import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { projectPath, projectRoot } from "./project.ts";
import { scratchDirectory } from "./scratch.ts";
import type { Change } from "./scratch-endpoint.ts";

/** What git, a build or a run leaves, and is not part of the project; by its path from the top. */
const NO_SOURCES: ReadonlySet<string> = new Set([
  ".git",
  "cdk.out",
  ".countinghouse",
  "publish/package/dist",
]);

/** Copies the project's files into a directory that is removed with the test. Installed packages are linked. */
export function copyProject(): string {
  const copy = path.join(scratchDirectory(), "project");
  cpSync(projectRoot, copy, {
    recursive: true,
    filter: (source) =>
      path.basename(source) !== "node_modules" &&
      !NO_SOURCES.has(path.relative(projectRoot, source).split(path.sep).join("/")),
  });
  symlinkSync(projectPath("node_modules"), path.join(copy, "node_modules"));
  return copy;
}

/**
 * Makes a change in a copy of the project.
 *
 * @throws {Error} when a new file exists already, or the text that is looked for does not occur exactly once.
 */
export function applyChange(copy: string, { file, before = "", instead, lines }: Change): void {
  const target = path.join(copy, file);
  const sought = instead ?? before;
  if (sought === "") {
    if (existsSync(target)) throw new Error(`${file} is there already.`);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, lines);
    return;
  }
  const parts = readFileSync(target, "utf8").split(sought);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${sought}`);
  writeFileSync(target, parts.join(`${lines}${before}`));
}

/** Runs a package's command in a copy of the project. Rejects with what it printed when it fails. */
export async function runIn(copy: string, command: string, ...argv: readonly string[]): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const binary = path.join(copy, "node_modules/.bin", command);
  const options = { cwd: copy, env: { PATH, HOME }, maxBuffer: 1 << 26 };
  const ran = await promisify(execFile)(binary, [...argv], options).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${command} failed:\n${stdout}\n${stderr}`);
    },
  );
  return ran.stdout;
}
