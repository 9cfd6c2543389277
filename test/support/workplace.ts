import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { heldStore } from "./held-store.ts";
import { type OperatorOptions, runOperator, startOperator, temporaryDirectory } from "./operator.ts";

/** A directory for a test's files, and the operator's commands on a data directory in it. */
export type Workplace = Awaited<ReturnType<typeof workplace>>;

/** One with a held store, which is there and where its files do not matter. */
export async function workplace() {
  const { path, data, [Symbol.asyncDispose]: end } = await heldStore();
  return { ...workplaceIn(path, data), [Symbol.asyncDispose]: end };
}

/** One whose data directory is made by its first command, unless it is given. */
export async function emptyWorkplace(data?: string) {
  const { path, [Symbol.asyncDispose]: end } = await temporaryDirectory();
  return { ...workplaceIn(path, data ?? join(path, "data")), [Symbol.asyncDispose]: end };
}

function workplaceIn(path: string, data: string) {
  const at = ["--data", data];
  const file = (name: string) => join(path, name);
  const run = (...words: readonly string[]) => runOperator([...words, ...at], { cwd: path });
  return {
    path,
    data,
    file,
    /** Writes a file. @returns its path. */
    write: async (name: string, text: string | Buffer): Promise<string> => {
      await writeFile(file(name), text);
      return file(name);
    },
    run,
    /** The lines of the audit on a command, the newest first: what it was done to, and how it ended. */
    audit: async (command: string, options: OperatorOptions = {}): Promise<readonly object[]> => {
      const { stdout } = await runOperator(["audit", "list", "--command", command, "--json", ...at], options);
      const lines = stdout.split("\n").filter((line) => line !== "");
      return lines.map((line) => {
        const { target, outcome, counts } = JSON.parse(line);
        return { target, outcome, counts };
      });
    },
    /** Runs a command with a standard input. */
    from: (input: string | Buffer, ...words: readonly string[]) =>
      runOperator([...words, ...at], { cwd: path, input }),
    /** Starts a command as a process. */
    start: (words: readonly string[], options: OperatorOptions = {}) =>
      startOperator([...words, ...at], { cwd: path, ...options }),
  };
}
