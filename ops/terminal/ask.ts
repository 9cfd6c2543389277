import { createInterface } from "node:readline/promises";

/** Whether input and errors are a terminal's, so that a person can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks the person at the terminal. Only `y` or `yes` is a yes; all else, Ctrl-C and the end of input too, is a no. */
export async function askWhether(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const given = new AbortController();
  terminal.once("SIGINT", () => given.abort()).once("close", () => given.abort());
  try {
    return /^y(?:es)?$/i.test(
      (await terminal.question(`${question} [y/N] `, { signal: given.signal })).trim(),
    );
  } catch (error) {
    if (given.signal.aborted) return false;
    throw error;
  } finally {
    terminal.close();
  }
}
