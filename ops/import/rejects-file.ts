import { type FileHandle, lstat, open, rm } from "node:fs/promises";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import type { RemarkKind } from "../../local/records/write-lines.ts";

const OWNER_ONLY = 0o600;

/**
 * The file that lists the lines to look at, one JSON object each: `line`, `kind` and `reason`. The line itself is never
 * copied, because it may hold a full card number. Only the file's owner can read it. The first entry of a run replaces
 * an older file; a run without entries leaves no file, unless the file is shared.
 */
export class RejectsFile {
  readonly path: string;
  readonly #isShared: boolean;
  #handle: FileHandle | undefined;
  #tail: Promise<void> = Promise.resolve();

  /**
   * `path` must be free, or hold a regular file; that file is replaced.
   *
   * @param isShared whether imports of other sources use the same file: a run without entries then leaves it as it is.
   */
  constructor(path: string, { isShared = false }: { readonly isShared?: boolean } = {}) {
    this.path = path;
    this.#isShared = isShared;
  }

  /** @throws {OperatorError} when the path holds something other than a regular file, such as a device. */
  async check(): Promise<void> {
    const found = await lstat(this.path).catch(() => undefined);
    if (found === undefined || found.isFile()) return;
    throw new OperatorError(
      `${this.path} is not a regular file. Name another rejects file with --rejects PATH.`,
    );
  }

  /** Adds a line. Resolves when it is in the file. */
  async add(line: number, reason: string, kind: RemarkKind = "refused"): Promise<void> {
    this.#tail = this.#tail.then(() => this.#append(`${JSON.stringify({ line, kind, reason })}\n`));
    await this.#tail;
  }

  /** Ends the run. A run without entries removes the file that an earlier run of the same source left. */
  async close(): Promise<void> {
    await this.#tail.catch(() => {});
    if (this.#handle === undefined && !this.#isShared)
      await this.#guarded(() => rm(this.path, { force: true }));
    await this.#handle?.close();
  }

  async #append(text: string): Promise<void> {
    await this.#guarded(async () => {
      this.#handle ??= await this.#create();
      await this.#handle.appendFile(text);
    });
  }

  async #create(): Promise<FileHandle> {
    await rm(this.path, { force: true });
    return await open(this.path, "wx", OWNER_ONLY);
  }

  async #guarded<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      const advice = "Name another place with --rejects PATH.";
      throw new OperatorError(
        `Cannot write the rejects file ${this.path}: ${codeOf(error)}. ${advice}`,
        error,
      );
    }
  }
}
