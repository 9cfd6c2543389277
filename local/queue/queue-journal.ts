import { closeSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parsedJson } from "../../lib/json-value.ts";
import { dataNames, draftOf } from "../store/data-files.ts";
import { OWNER_ONLY_MODE, privatePath, readPrivateFile, writePrivateFile } from "../store/private-file.ts";
import type { PersistenceManager, SqsMessage } from "./fauxqs.ts";

/** A change of the queues, as one line of the journal. */
type Entry =
  | { readonly put: SqsMessage; readonly queue: string }
  | { readonly received: string; readonly times: number; readonly firstMs: number | undefined }
  | { readonly gone: string };

/** The most lines of a journal: so many, and so many for each message that is there. */
const LINES_MAX = { spare: 10_000, ofMessage: 4 };

/** A message that a journal has kept, and the name of its queue. */
export interface KeptMessage {
  readonly queue: string;
  readonly message: SqsMessage;
}

/** The parts of fauxqs's own journal that standard queues call. That one does not keep a message whose time was changed. */
type Persistence = Pick<
  PersistenceManager,
  | "insertQueue"
  | "insertMessage"
  | "deleteMessage"
  | "updateMessageInflight"
  | "updateMessageReady"
  | "deleteQueueMessages"
>;

/**
 * Keeps the messages of queues in a file of the data directory, so that they outlive a stop and a killed process. It
 * keeps how often a message was received, and not until when it is invisible: after a start, all can be received.
 * Changes are written when `flush` is called, which a caller does before it answers: those of one call together, so that
 * a message on its way from one queue to another is in one of them at every moment.
 */
export class QueueJournal implements Persistence {
  readonly #dataDir: string;
  readonly #spareLines: number;
  readonly #messages: Map<string, KeptMessage>;
  #file: number;
  /** Changes that are not in the file yet. */
  #lines: string[] = [];
  /** Lines of the file. */
  #lineCount: number;

  private constructor(dataDir: string, spareLines: number, messages: Map<string, KeptMessage>) {
    this.#dataDir = dataDir;
    this.#spareLines = spareLines;
    this.#messages = messages;
    this.#lineCount = messages.size;
    this.#file = openSync(privatePath(dataDir, dataNames.queues), "a", OWNER_ONLY_MODE);
  }

  /** Opens the journal of a data directory, which this process holds, and shortens it to what is still there. */
  static async open(dataDir: string, spareLines = LINES_MAX.spare): Promise<QueueJournal> {
    const kept = replayed((await readPrivateFile(dataDir, dataNames.queues)) ?? "");
    await writePrivateFile(dataDir, dataNames.queues, textOf(kept.values()));
    return new QueueJournal(dataDir, spareLines, kept);
  }

  /** The messages that are there, oldest first. */
  get messages(): readonly KeptMessage[] {
    return [...this.#messages.values()];
  }

  /** Nothing: the template makes the queues. */
  insertQueue(): void {}

  insertMessage(queue: string, message: SqsMessage): void {
    this.#messages.set(message.messageId, { queue, message });
    this.#add({ put: message, queue });
  }

  deleteMessage(messageId: string): void {
    if (this.#messages.delete(messageId)) this.#add({ gone: messageId });
  }

  updateMessageInflight(
    messageId: string,
    _handle: string,
    _deadline: number,
    times: number,
    firstMs: number | undefined,
  ): void {
    const received = { received: messageId, times, firstMs };
    noteReceived(this.#messages.get(messageId), received);
    this.#add(received);
  }

  /** Nothing: how often it was received is known already. */
  updateMessageReady(): void {}

  deleteQueueMessages(queue: string): void {
    for (const [id, one] of this.#messages) if (one.queue === queue) this.deleteMessage(id);
  }

  /** Writes the changes since the last call. Throws the error of the file system; the changes are then tried again. */
  flush(): void {
    if (this.#lines.length === 0) return;
    if (this.#messages.size > 0) {
      writeSync(this.#file, this.#lines.join(""));
      this.#lineCount += this.#lines.length;
    } else if (this.#lineCount > 0) {
      ftruncateSync(this.#file);
      this.#lineCount = 0;
    }
    this.#lines = [];
    if (this.#lineCount <= this.#spareLines + LINES_MAX.ofMessage * this.#messages.size) return;
    try {
      this.#shorten();
    } catch {
      // The longer file stays, and the next change tries again.
    }
  }

  /** Removes from the file what is no longer there. Throws the error of the file system. */
  dropDeleted(): void {
    this.flush();
    this.#shorten();
  }

  /**
   * Replaces the file by one of what is still there: a message that nobody takes, such as a rejected one, would keep the
   * lines of all others.
   */
  #shorten(): void {
    const draft = join(this.#dataDir, draftOf(dataNames.queues));
    try {
      rmSync(draft, { force: true });
      const file = openSync(draft, "ax", OWNER_ONLY_MODE);
      writeSync(file, textOf(this.#messages.values()));
      renameSync(draft, privatePath(this.#dataDir, dataNames.queues));
      closeSync(this.#file);
      this.#file = file;
      this.#lineCount = this.#messages.size;
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }

  /** Writes the last changes, and closes the file. */
  close(): void {
    this.flush();
    closeSync(this.#file);
  }

  #add(entry: Entry): void {
    this.#lines.push(lineOf(entry));
  }
}

const textOf = (messages: Iterable<KeptMessage>): string =>
  Array.from(messages, ({ queue, message }) => lineOf({ put: message, queue })).join("");

const lineOf = (entry: Entry): string => `${JSON.stringify(entry)}\n`;

/** What a journal's text leaves of messages, by id. */
function replayed(text: string): Map<string, KeptMessage> {
  const kept = new Map<string, KeptMessage>();
  for (const line of text.split("\n")) {
    const entry = entryOf(line);
    if (entry === undefined) continue;
    if ("put" in entry) kept.set(entry.put.messageId, { queue: entry.queue, message: entry.put });
    else if ("gone" in entry) kept.delete(entry.gone);
    else noteReceived(kept.get(entry.received), entry);
  }
  return kept;
}

function noteReceived(
  kept: KeptMessage | undefined,
  { times, firstMs }: Extract<Entry, { received: string }>,
): void {
  if (kept === undefined) return;
  kept.message.approximateReceiveCount = times;
  if (firstMs !== undefined) kept.message.approximateFirstReceiveTimestamp = firstMs;
}

/** The change on a line; undefined for a line that a killed process did not finish. */
const entryOf = (line: string): Entry | undefined => parsedJson(line) as Entry | undefined;
