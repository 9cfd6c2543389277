import { createInterface } from "node:readline/promises";
import { OperatorError } from "../../local/process/operator-error.ts";
import { terminalText } from "./terminal-text.ts";

/** Whether input and errors are a terminal's, so that a person can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks the person at the terminal for a text. Undefined at Ctrl-C, and at the end of input. */
async function askFor(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const given = new AbortController();
  terminal.once("SIGINT", () => given.abort()).once("close", () => given.abort());
  try {
    return (await terminal.question(terminalText(question), { signal: given.signal })).trim();
  } catch (error) {
    if (given.signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}

/** Asks the person at the terminal. Only `y` or `yes` is a yes; all else, Ctrl-C and the end of input too, is a no. */
export async function askWhether(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await askFor(`${question} [y/N] `)) ?? "");
}

/**
 * Whether a change is wanted: true with `--yes`, otherwise the answer of the person at the terminal.
 *
 * @param question what would happen, as a question in one sentence.
 * @param word what has to be typed for a change that cannot be taken back; without it a yes is enough.
 * @throws {OperatorError} without `--yes` where nobody can be asked.
 */
export async function confirmed(
  question: string,
  { yes }: { readonly yes?: boolean | undefined },
  word?: string,
): Promise<boolean> {
  if (yes === true) return true;
  if (!canAsk())
    throw new OperatorError(`${question} There is no terminal to ask on: confirm it with --yes.`);
  if (word === undefined) return await askWhether(question);
  return (await askFor(`${question} Type ${word} to confirm: `)) === word;
}
