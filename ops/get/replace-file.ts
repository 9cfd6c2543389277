import { readFile, rename, writeFile } from "node:fs/promises";
import type * as z from "zod/mini";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { writing } from "./unwritable.ts";

/** Replaces a file. A reader, and a process that is killed meanwhile, finds the whole old text or the whole new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  await writing(path, async () => {
    await writeFile(draft, text, { flush: true });
    await rename(draft, path);
  });
}

/**
 * Reads a JSON file of ours.
 *
 * @returns undefined when there is no such file.
 * @throws {OperatorError} when it cannot be read, or is another file.
 */
export async function readOwnFile<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  advice: string,
): Promise<z.output<Schema> | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new OperatorError(`${path} cannot be read (${codeOf(error)}).`, error);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError(`${path} is not a file that this command wrote. ${advice}`, cause);
  }
}
