import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import type * as z from "zod/mini";
import { isAlive } from "../../local/process/is-alive.ts";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it is not there, or its directory is not"],
  ["EACCES", "this user may not write it"],
  ["EISDIR", "it is a directory"],
  ["ENOSPC", "the disk is full. Free some space; the same command then goes on"],
  ["EDQUOT", "this user's share of the disk is full. Free some space; the same command then goes on"],
]);

/** Does something with a file that is written. @throws {OperatorError} in place of an error of the system. */
export async function writing<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    const code = codeOf(error);
    throw new OperatorError(`${path} cannot be written: ${PROBLEMS.get(code) ?? code}.`, error);
  }
}

/** Whether a file is there. */
export const exists = async (path: string): Promise<boolean> =>
  await stat(path).then(
    () => true,
    () => false,
  );

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

/**
 * Works on a file, and those beside it, while no other process does. The lock of a process that was killed counts no longer.
 *
 * @throws {OperatorError} when another command works there, and when the lock cannot be written.
 */
export async function whileLocked<Result>(
  { lock, output }: { readonly lock: string; readonly output: string },
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
        `Another command writes to ${output} (process ${holder}). Wait for its end, or name another file. If that process is another program, remove ${path}.`,
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

/**
 * The lines of a file that end with LF, without it. Other line ends, such as U+2028 within a JSON string, end no line
 * here; `readline` of Node.js takes them for one.
 */
export async function* fileLines(path: string): AsyncGenerator<string, void, undefined> {
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8") as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

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
