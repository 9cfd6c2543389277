import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { givenText } from "../../infra/settings/given-text.ts";
import { fileProblem, OperatorError } from "../../local/process/operator-error.ts";
import { callersPath } from "../store/store-options.ts";

/** The name of a given file in messages. */
export const nameOfGiven = (file: string): string => (file === "-" ? "Standard input" : file);

async function readBytes(file: string): Promise<Buffer> {
  try {
    return file === "-" ? await buffer(process.stdin) : await readFile(callersPath(file));
  } catch (error) {
    throw new OperatorError(`${nameOfGiven(file)} cannot be read: ${fileProblem(error)}.`, error);
  }
}

/**
 * The text of a file that the operator named, or of standard input for `-`, without a byte order mark or white space
 * around it.
 *
 * @throws {OperatorError} when it cannot be read, or is not UTF-8.
 */
export async function readGiven(file: string): Promise<string> {
  const text = givenText(await readBytes(file));
  if (text === undefined)
    throw new OperatorError(`${nameOfGiven(file)} is not UTF-8. Save it as UTF-8 text.`);
  return text;
}
