import { type FileHandle, lstat, open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import type { NoteKind } from "../../local/records/line-run.ts";

const OWNER_ONLY = 0o600;

/**
 * The file that lists the lines to look at, one JSON object each: `line`, `kind` and `reason`. The line itself is never
 * copied, because it may hold a full card number. Only the file's owner can read it. The first entry of a run replaces
 * an older file; a run without entries leaves no file, unless the source is standard input: imports of other sources use
 * the same file then.
 */
export class RejectsFile {
  readonly #path: string;
  readonly #source: string;
  #handle: FileHandle | undefined;
  #tail: Promise<void> = Promise.resolve();

  /** @param source the file whose lines are listed, or `-` for standard input. */
  constructor(path: string, source: string) {
    this.#path = path;
    this.#source = source;
  }

  /** @throws {OperatorError} when the path holds something other than a regular file, such as a device, or the source. */
  async check(): Promise<void> {
    if (resolve(this.#path) === resolve(this.#source))
      throw new OperatorError("--rejects names the file with the records. Name another one.");
    const found = await lstat(this.#path).catch(() => undefined);
    if (found === undefined || found.isFile()) return;
    throw new OperatorError(
      `${this.#path} is not a regular file. Name another rejects file with --rejects PATH.`,
    );
  }

  /** Adds a line. Resolves when it is in the file. */
  async add(line: number, kind: NoteKind, reason: string): Promise<void> {
    this.#tail = this.#tail.then(() => this.#append(`${JSON.stringify({ line, kind, reason })}\n`));
    await this.#tail;
  }

  /** Ends the run. A run without entries removes the file that an earlier run of the same source left. */
  async close(): Promise<void> {
    await this.#tail.catch(() => {});
    if (this.#handle === undefined && this.#source !== "-")
      await this.#guarded(() => rm(this.#path, { force: true }));
    await this.#handle?.close();
  }

  async #append(text: string): Promise<void> {
    await this.#guarded(async () => {
      this.#handle ??= await this.#create();
      await this.#handle.appendFile(text);
    });
  }

  async #create(): Promise<FileHandle> {
    await rm(this.#path, { force: true });
    return await open(this.#path, "wx", OWNER_ONLY);
  }

  async #guarded<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      const advice = "Name another place with --rejects PATH.";
      throw new OperatorError(
        `Cannot write the rejects file ${this.#path}: ${codeOf(error)}. ${advice}`,
        error,
      );
    }
  }
}
