import { readFile, rm, writeFile } from "node:fs/promises";
import { isAlive } from "../../local/process/is-alive.ts";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import type { DownloadPaths } from "./download-state.ts";
import { writing } from "./unwritable.ts";

/**
 * Works on the files of a download while no other process does. The lock of a process that was killed counts no longer.
 *
 * @throws {OperatorError} when another download is under way there, and when the lock cannot be written.
 */
export async function whileLocked<Result>(
  { lock, output }: Pick<DownloadPaths, "lock" | "output">,
  work: () => Promise<Result>,
): Promise<Result> {
  await take(lock, output);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(path: string, output: string): Promise<void> {
  while (!(await isTaken(path, output))) {
    const holder = Number(await readFile(path, "utf8").catch(() => ""));
    if (isAlive(holder))
      throw new OperatorError(
        `Another download writes to ${output} (process ${holder}). Wait for its end, or name another --output. If that process is another program, remove ${path}.`,
      );
    await writing(output, () => rm(path, { force: true }));
  }
}

/** Takes the lock. @returns false when it is there already. */
async function isTaken(path: string, output: string): Promise<boolean> {
  try {
    await writing(output, () => writeFile(path, `${process.pid}`, { flag: "wx" }));
    return true;
  } catch (error) {
    if (error instanceof OperatorError && codeOf(error.cause) === "EEXIST") return false;
    throw error;
  }
}
