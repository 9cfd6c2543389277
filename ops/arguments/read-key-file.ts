import { open } from "node:fs/promises";
import { fileProblem, OperatorError } from "../../local/process/operator-error.ts";
import { callersPath } from "../store/store-options.ts";

/** No key is longer, so a longer file was given by mistake. */
const BYTES_MAX = 16_384;

/** The content of a key's file. @throws {OperatorError} that names a file which cannot be read or is too long. */
async function readKeyFile(path: string): Promise<Buffer> {
  let bytes: Buffer;
  try {
    await using file = await open(callersPath(path));
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(BYTES_MAX + 1) });
    bytes = buffer.subarray(0, bytesRead);
  } catch (error) {
    throw new OperatorError(
      `${path} cannot be read: ${fileProblem(error)}. Give the path of the key's file.`,
      error,
    );
  }
  if (bytes.length > BYTES_MAX)
    throw new OperatorError(`${path} is not a key: it has more than ${BYTES_MAX} bytes.`);
  return bytes;
}

/**
 * Reads a key's file with a parser whose errors have messages for the operator.
 *
 * @throws {OperatorError} with the parser's message after the file's name.
 */
export async function keyOfFile<Key>(path: string, parse: (content: Buffer) => Key): Promise<Key> {
  const content = await readKeyFile(path);
  try {
    return parse(content);
  } catch (error) {
    throw new OperatorError(`${path}: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}
