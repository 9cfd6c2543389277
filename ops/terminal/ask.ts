import { createInterface } from "node:readline/promises";
import { Option } from "commander";
import { OperatorError } from "./operator-error.ts";

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

/** The option that answers a command's question. */
export const yesOption = (): Option => new Option("--yes", "answer yes to the question, without asking");

/**
 * Whether a change is wanted: true with `--yes`, otherwise the answer of the person at the terminal.
 *
 * @param question what would happen, as a question in one sentence.
 * @throws {OperatorError} without `--yes` where nobody can be asked.
 */
export async function confirmed(
  question: string,
  { yes }: { readonly yes?: boolean | undefined },
): Promise<boolean> {
  if (yes === true) return true;
  if (canAsk()) return await askWhether(question);
  throw new OperatorError(`${question} There is no terminal to ask on: confirm it with --yes.`);
}
