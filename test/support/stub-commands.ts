import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { scratchDirectory } from "./scratch.ts";

const run = promisify(execFile);

/** A call of a stub: the command and its arguments. */
export type StubCall = readonly string[];

export interface ScriptRun {
  readonly stdout: string;
  /** The calls of stubs, in their order. */
  readonly calls: readonly StubCall[];
}

/** Ends an argument and a call in the file of calls. Arguments may have spaces and lines. */
const [ARGUMENT, CALL] = ["\u001f", "\u001e"];

/** Writes its call down, and prints the next answer: the file of its number, or nothing. */
const stubOf = (directory: string, command: string): string => `#!/bin/sh
{ printf '%s\\037' ${command} "$@"; printf '\\036'; } >> '${directory}/calls'
number=$(($(command -p cat '${directory}/number') + 1))
echo "$number" > '${directory}/number'
[ -f "${directory}/answer-$number" ] && command -p cat "${directory}/answer-$number"
exit 0
`;

/**
 * Runs a script of a shell in which some commands are stubs, which reach nothing.
 *
 * @param answers what the stubs print, one call after the other; later calls print nothing.
 * @throws when the script ends with another code than 0.
 */
export async function runWithStubs(
  script: string,
  options: {
    readonly shell: "sh" | "bash";
    readonly stubs: readonly string[];
    readonly answers: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
    /** Whether the script finds no command but the stubs, and so fails at any other. */
    readonly alone?: boolean;
  },
): Promise<ScriptRun> {
  const directory = scratchDirectory();
  await writeFile(join(directory, "number"), "0");
  await writeFile(join(directory, "calls"), "");
  for (const [at, answer] of options.answers.entries())
    await writeFile(join(directory, `answer-${at + 1}`), answer);
  for (const command of options.stubs) {
    await writeFile(join(directory, command), stubOf(directory, command));
    await chmod(join(directory, command), 0o755);
  }
  const PATH = `${directory}${delimiter}${process.env.PATH}`;
  const begin = options.alone === true ? `PATH='${directory}'\n` : "";
  // The workflow's runner stops at the first command that fails.
  const { stdout } = await run(options.shell, ["-ec", begin + script], {
    env: { ...options.environment, PATH },
  });
  const written = await readFile(join(directory, "calls"), "utf8");
  const calls = written.split(CALL).slice(0, -1);
  return { stdout, calls: calls.map((call) => call.split(ARGUMENT).slice(0, -1)) };
}
