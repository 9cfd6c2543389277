import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { codeOf, OperatorError } from "./operator-error.ts";
import { callersPath } from "./store-options.ts";

/** How messages name what was read. */
export const nameOfGiven = (file: string): string => (file === "-" ? "Standard input" : file);

/** The text of a file that the operator named, or of standard input for `-`. @throws {OperatorError} */
export async function readGiven(file: string): Promise<string> {
  try {
    return file === "-" ? await text(process.stdin) : await readFile(callersPath(file), "utf8");
  } catch (error) {
    throw new OperatorError(`${nameOfGiven(file)} cannot be read (${codeOf(error)}).`, error);
  }
}
