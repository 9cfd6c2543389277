import { open } from "node:fs/promises";
import { callersPath } from "../store/store-options.ts";
import { codeOf, OperatorError } from "../terminal/operator-error.ts";

/** No key is longer; what is, was not meant. */
const BYTES_MAX = 16_384;

/** The content of a key's file. @throws {OperatorError} that names the file when it cannot be read. */
export async function readKeyFile(path: string): Promise<Buffer> {
  let bytes: Buffer;
  try {
    await using file = await open(callersPath(path));
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(BYTES_MAX + 1) });
    bytes = buffer.subarray(0, bytesRead);
  } catch (error) {
    throw new OperatorError(
      `${path} cannot be read (${codeOf(error)}). Give the path of the key's file.`,
      error,
    );
  }
  if (bytes.length > BYTES_MAX)
    throw new OperatorError(`${path} is no key: it has more than ${BYTES_MAX} bytes.`);
  return bytes;
}

/** Reads a key out of a file with a parser whose errors speak to the operator, and names the file in them. */
export async function keyOfFile<Key>(path: string, parse: (content: Buffer) => Key): Promise<Key> {
  const content = await readKeyFile(path);
  try {
    return parse(content);
  } catch (error) {
    throw new OperatorError(`${path}: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}
