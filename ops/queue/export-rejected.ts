import { createHash } from "node:crypto";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { MessageHead } from "../../lib/ingest/message.ts";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { makeDirectory } from "../../local/store/in-data-directory.ts";
import { KIND_WORDS, type RejectedMessage } from "./rejected-message.ts";

const OWNER_ONLY = 0o600;
/** File systems take names of 255 bytes; an owner's id may be longer. */
const READABLE_MAX = 60;

/** One of the files of an export. */
export interface ExportedFile {
  readonly file: string;
  /** The command's word for the kind of its records; null for messages that were rejected as a whole. */
  readonly kind: string | null;
  readonly owner: string | null;
  readonly lines: number;
}

/**
 * A folder of rejected records, which hold what they hold: only its owner can read it. The records of each kind and owner
 * are in a file of their own, one a line, as `import` and `send` take them. `reasons.ndjson` says for each line of
 * each file why it was rejected. Whole messages are in `messages.ndjson`, as JSON texts.
 */
export class RejectedExport {
  readonly folder: string;
  readonly #handles = new Map<string, FileHandle>();
  readonly #files = new Map<string, ExportedFile>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes the folder. @throws {OperatorError} when there is something in it. */
  static async create(folder: string): Promise<RejectedExport> {
    const there = await writingInto(folder, async () => {
      await makeDirectory(folder);
      return await readdir(folder);
    });
    if (there.length === 0) return new RejectedExport(folder);
    throw new OperatorError(
      `${folder} is not empty. Name another folder, so that no earlier export is mixed with this one.`,
    );
  }

  /** The files with records, in the order in which they began. */
  get files(): readonly ExportedFile[] {
    return [...this.#files.values()];
  }

  /** Adds a rejected message. Resolves when it is in the files; `sync` makes it durable. */
  async add(message: RejectedMessage): Promise<void> {
    const { record, reason, detail, position, messageId, rejectedAt, body } = message;
    const { file, kind, owner } = placeOf(record?.head);
    const lines = (this.#files.get(file)?.lines ?? 0) + 1;
    await this.#append(file, record?.text ?? JSON.stringify(body));
    this.#files.set(file, { file, kind, owner, lines });
    const revision = record?.head.revision;
    const why = { file, line: lines, kind, owner, revision, reason, detail, position, messageId, rejectedAt };
    await this.#append("reasons.ndjson", JSON.stringify(why));
  }

  /** Resolves once everything that was added is on the disk. */
  async sync(): Promise<void> {
    await this.#withEach((handle) => handle.sync());
  }

  /** Ends the export. */
  async close(): Promise<void> {
    await this.sync();
    await this.#withEach((handle) => handle.close());
  }

  async #withEach(act: (handle: FileHandle) => Promise<void>): Promise<void> {
    await writingInto(this.folder, async () => {
      for (const handle of this.#handles.values()) await act(handle);
    });
  }

  async #append(name: string, line: string): Promise<void> {
    await writingInto(this.folder, async () => {
      const handle = this.#handles.get(name) ?? (await open(join(this.folder, name), "wx", OWNER_ONLY));
      this.#handles.set(name, handle);
      await handle.appendFile(`${line}\n`);
    });
  }
}

/** Does something in a folder. @throws {OperatorError} that names the folder, when it cannot be done. */
const writingInto = <Done>(folder: string, act: () => Promise<Done>): Promise<Done> =>
  act().catch((error: unknown) => {
    const problem = `Cannot write into ${folder}: ${codeOf(error)}.`;
    throw new OperatorError(`${problem} What was not written is still in the queue.`, error);
  });

/** The file of the records of a head. */
function placeOf(head: MessageHead | undefined): Omit<ExportedFile, "lines"> {
  if (head === undefined) return { file: "messages.ndjson", kind: null, owner: null };
  const kind = KIND_WORDS[head.kind];
  const { owner = null } = head;
  const words = [kind, ...(owner === null ? [] : [fileWord(owner)])];
  const revision = head.revision ? [`revision-${head.revision}`] : [];
  return { file: `${[...words, ...revision].join(".")}.ndjson`, kind, owner };
}

/** Ids and symbols that are a file's name on every system, with another for each of them. */
const PLAIN = /^(?:[a-z0-9][a-z0-9_-]{0,99}|[A-Z0-9]+-[A-Z0-9]+)$/;
const DIGEST_DIGITS = 12;

/** An owner's id in a file's name: itself, or as much of it as may be there and a digest that sets it apart. */
function fileWord(owner: string): string {
  if (PLAIN.test(owner)) return owner;
  const readable = owner
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .slice(0, READABLE_MAX);
  return `${readable}-${createHash("sha256").update(owner).digest("hex").slice(0, DIGEST_DIGITS)}`;
}
