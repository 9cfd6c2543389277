import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dataNames } from "../store/data-files.ts";
import { OWNER_ONLY_MODE, privatePath, readPrivateFile, writePrivateFile } from "../store/private-file.ts";
import type { PersistenceManager, SqsMessage } from "./fauxqs.ts";

/** A change of the queues, as one line of the journal. */
type Entry =
  | { readonly put: SqsMessage; readonly queue: string }
  | { readonly received: string; readonly times: number; readonly firstMs: number | undefined }
  | { readonly gone: string };

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
  readonly #messages = new Map<string, KeptMessage>();
  readonly #file: number;
  #lines: string[] = [];
  #isEmpty: boolean;

  private constructor(file: number, kept: ReadonlyMap<string, KeptMessage>) {
    this.#file = file;
    for (const [id, one] of kept) this.#messages.set(id, one);
    this.#isEmpty = kept.size === 0;
  }

  /** Opens the journal of a data directory, which this process holds, and shortens it to what is still there. */
  static async open(dataDir: string): Promise<QueueJournal> {
    const kept = replayed((await readPrivateFile(dataDir, dataNames.queues)) ?? "");
    const lines = [...kept.values()].map(({ queue, message }) => lineOf({ put: message, queue }));
    await writePrivateFile(dataDir, dataNames.queues, lines.join(""));
    return new QueueJournal(openSync(privatePath(dataDir, dataNames.queues), "a", OWNER_ONLY_MODE), kept);
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
    this.#add({ received: messageId, times, firstMs });
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
      this.#isEmpty = false;
    } else if (!this.#isEmpty) {
      ftruncateSync(this.#file);
      this.#isEmpty = true;
    }
    this.#lines = [];
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

const lineOf = (entry: Entry): string => `${JSON.stringify(entry)}\n`;

/** What a journal's text leaves of messages, by id. */
function replayed(text: string): ReadonlyMap<string, KeptMessage> {
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
function entryOf(line: string): Entry | undefined {
  try {
    return line === "" ? undefined : (JSON.parse(line) as Entry);
  } catch {
    return undefined;
  }
}
