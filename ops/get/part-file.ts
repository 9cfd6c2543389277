import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { writing } from "./unwritable.ts";

/** The length of a file, and the digest of its bytes as hex. */
export interface FileSum {
  readonly bytes: number;
  readonly sha256: string;
}

/** The sum of no bytes. */
export const emptySum: FileSum = { bytes: 0, sha256: createHash("sha256").digest("hex") };

/** Hashes the first bytes of a file. */
async function hashFile(
  path: string,
  bytes: number,
): Promise<{ readonly hash: Hash; readonly read: number }> {
  const hash = createHash("sha256");
  let read = 0;
  if (bytes === 0) return { hash, read };
  for await (const chunk of createReadStream(path, { end: bytes - 1 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    read += chunk.length;
  }
  return { hash, read };
}

/** The sum of a whole file. */
export async function sumOfFile(path: string): Promise<FileSum> {
  const { hash, read } = await hashFile(path, Number.MAX_SAFE_INTEGER);
  return { bytes: read, sha256: hash.digest("hex") };
}

/** A file that grows piece by piece, and whose sum is known after each of them. */
export class PartFile {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #hash: Hash;
  #bytes: number;

  private constructor(path: string, file: FileHandle, hash: Hash, bytes = 0) {
    this.#path = path;
    this.#file = file;
    this.#hash = hash;
    this.#bytes = bytes;
  }

  /** Begins a new file, in place of another one. */
  static async begin(path: string): Promise<PartFile> {
    return new PartFile(path, await writing(path, () => open(path, "w")), createHash("sha256"));
  }

  /**
   * Goes on after the bytes that were surely written, and drops the ones after them.
   *
   * @throws {OperatorError} when the file does not begin with the bytes that were written.
   */
  static async goOn(path: string, { bytes, sha256 }: FileSum): Promise<PartFile> {
    const found = await hashFile(path, bytes).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    if (found?.read !== bytes || found.hash.copy().digest("hex") !== sha256)
      throw new OperatorError(`${path} was changed or removed by something else. Begin anew with --fresh.`);
    const file = await writing(path, () => open(path, "r+"));
    await writing(path, () => file.truncate(bytes));
    return new PartFile(path, file, found.hash, bytes);
  }

  /** Appends a text. It is on the disk when the promise resolves. */
  async append(text: string): Promise<FileSum> {
    const bytes = Buffer.from(text);
    await writing(this.#path, () => this.#write(bytes));
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest("hex") };
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, this.#bytes + at);
      at += bytesWritten;
    }
    await this.#file.datasync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
