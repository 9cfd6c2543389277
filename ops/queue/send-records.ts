import type { MessageHead } from "../../lib/ingest/message.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { LineRun } from "../../local/records/line-run.ts";
import type { Line } from "../../local/records/read-lines.ts";
import { MessagePacker, type PackedMessage } from "./pack-messages.ts";
import { batchesOf, type Refused } from "./send-batch.ts";

/** The most calls under way at once. */
const CALLS_AT_ONCE = 4;

/** What a line holds: a record as JSON text, something to refuse or to skip, or a sign that no later line can be read. */
export type ReadLine =
  | { readonly record: string }
  | { readonly refusal: string }
  | { readonly passedOver: string }
  | { readonly unusable: string };

/** How the records of a file are sent. */
interface Sending {
  readonly head: MessageHead;
  readonly read: (line: Line) => ReadLine;
  /** Lines before this one are read and not sent. */
  readonly fromLine: number;
  /** Sends the messages of one call; see `sendBatch`. */
  readonly send: (messages: readonly PackedMessage[]) => Promise<readonly (Refused | undefined)[]>;
}

/** Packs the records of lines into messages, and sends these, some calls at once. */
export class RecordSender {
  readonly #sending: Sending;
  readonly #packer: MessagePacker;
  readonly #lines = new SentLines();
  #waiting: PackedMessage[] = [];
  /** The messages that were sent. */
  messageCount = 0;

  constructor(sending: Sending) {
    this.#sending = sending;
    this.#packer = new MessagePacker(sending.head);
  }

  /** The first line that may not have been sent. */
  get nextLine(): number {
    return this.#lines.next(this.#packer.firstLine);
  }

  /** Sends every line, as {@link LineRun.takeAll} takes them. */
  async sendAll(lines: AsyncIterable<Line>, run: LineRun): Promise<void> {
    await run.takeAll(lines, {
      atOnce: CALLS_AT_ONCE,
      take: (line) => this.#take(line, run),
      finish: async () => {
        await this.#hand(this.#packer.finish(), run);
        for (const batch of batchesOf(this.#waiting)) await this.#call(batch, run);
        this.#waiting = [];
      },
    });
  }

  async #take(line: Line, run: LineRun): Promise<void> {
    const { read, fromLine } = this.#sending;
    const found = read(line);
    if ("unusable" in found) throw new OperatorError(`Line ${line.number}: ${found.unusable}.`);
    if (line.number < fromLine || "passedOver" in found) run.passedOver += 1;
    else if ("refusal" in found) await run.refuse(line.number, found.refusal);
    else {
      run.hasGood = true;
      await this.#hand(this.#packer.add(found.record, line.number), run);
    }
    this.#lines.read(line.number);
  }

  /** Takes a message, and sends those that fill a call. */
  async #hand(message: PackedMessage | undefined, run: LineRun): Promise<void> {
    if (message === undefined) return;
    this.#lines.begun(message);
    this.#waiting.push(message);
    const [full, rest] = [...batchesOf(this.#waiting)];
    if (full === undefined || rest === undefined) return;
    this.#waiting = rest;
    await this.#call(full, run);
  }

  async #call(messages: readonly PackedMessage[], run: LineRun): Promise<void> {
    const recordCount = messages.reduce((sum, message) => sum + message.recordCount, 0);
    await run.start(recordCount, async () => {
      const refusals = await this.#sending.send(messages);
      for (const [at, message] of messages.entries()) {
        const refused = refusals[at];
        if (refused === undefined) {
          this.#lines.sent(message);
          this.messageCount += 1;
          run.tally.written += message.recordCount;
        } else run.fail(new OperatorError(`SQS refused a message (${refused.Code}): ${refused.Message}`));
      }
    });
  }
}

/** Knows from which line a file has to be sent again, whichever messages were sent before others. */
export class SentLines {
  readonly #unsent = new Set<number>();
  #lastRead = 0;

  /** A line was read. */
  read(line: number): void {
    this.#lastRead = line;
  }

  /** A message is on its way. */
  begun({ firstLine }: Pick<PackedMessage, "firstLine">): void {
    this.#unsent.add(firstLine);
  }

  /** A message has arrived. */
  sent({ firstLine }: Pick<PackedMessage, "firstLine">): void {
    this.#unsent.delete(firstLine);
  }

  /** The first line that may not have been sent. @param unpacked the line of the first record that is in no message yet. */
  next(unpacked: number | undefined): number {
    const lines = unpacked === undefined ? [...this.#unsent] : [...this.#unsent, unpacked];
    return lines.reduce((first, line) => Math.min(first, line), this.#lastRead + 1);
  }
}
