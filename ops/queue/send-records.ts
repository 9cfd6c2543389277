import { BoundedTasks } from "../../lib/bounded-tasks.ts";
import type { MessageHead } from "../../lib/ingest/message.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { Line } from "../../local/records/read-lines.ts";
import { type Flow, isHopeless, type Tally } from "../../local/records/tally.ts";
import { hopelessFile } from "../../local/records/write-lines.ts";
import { MessagePacker, type PackedMessage } from "./pack-messages.ts";
import { batchesOf, type Refused } from "./send-batch.ts";
import { SentLines } from "./sent-lines.ts";

/** The most calls under way at once. */
const CALLS_AT_ONCE = 4;

/** What a line holds: a record as JSON text, something to refuse or to skip, or a sign that no later line can be read. */
export type ReadLine =
  | { readonly record: string }
  | { readonly refusal: string }
  | { readonly passedOver: string }
  | { readonly unusable: string };

export interface RecordSending {
  readonly head: MessageHead;
  readonly read: (line: Line) => ReadLine;
  /** Lines before this one are read and not sent. */
  readonly fromLine: number;
  /** Sends the messages of one call; see `sendBatch`. */
  readonly send: (messages: readonly PackedMessage[]) => Promise<readonly (Refused | undefined)[]>;
  readonly onRefused: (lineNumber: number, reason: string) => Promise<void>;
  readonly tally: Tally;
  readonly flow: Flow;
  readonly stop: AbortController;
}

/** Packs the records of lines into messages, and sends these, some calls at once. */
export class RecordSender {
  readonly #job: RecordSending;
  readonly #packer: MessagePacker;
  readonly #calls = new BoundedTasks(CALLS_AT_ONCE);
  readonly #lines = new SentLines();
  readonly #faults: unknown[] = [];
  #waiting: PackedMessage[] = [];
  #hasGood = false;
  /** The messages that were sent. */
  messageCount = 0;

  constructor(job: RecordSending) {
    this.#job = job;
    this.#packer = new MessagePacker(job.head);
  }

  /** The first line that may not have been sent. */
  get nextLine(): number {
    return this.#lines.next(this.#packer.firstLine);
  }

  /**
   * Sends every line. After an abort it reads no more, and finishes the calls under way. The first fault does the same,
   * and is then thrown.
   */
  async run(lines: AsyncIterable<Line>): Promise<void> {
    const { stop } = this.#job;
    try {
      for await (const line of lines) {
        if (stop.signal.aborted) break;
        await this.#take(line);
      }
      if (!stop.signal.aborted) await this.#finish();
    } catch (error) {
      this.#fail(error);
    }
    await this.#calls.end();
    if (this.#faults.length > 0) throw this.#faults[0];
  }

  async #take(line: Line): Promise<void> {
    const { read, fromLine, tally, flow, onRefused } = this.#job;
    const found = read(line);
    if ("unusable" in found) throw new OperatorError(`Line ${line.number}: ${found.unusable}.`);
    if (line.number < fromLine || "passedOver" in found) flow.passedOver += 1;
    else if ("record" in found) {
      this.#hasGood = true;
      await this.#hand(this.#packer.add(found.record, line.number));
    } else {
      await onRefused(line.number, found.refusal);
      tally.refused += 1;
      if (!this.#hasGood && isHopeless(tally)) throw hopelessFile();
    }
    this.#lines.read(line.number);
  }

  /** Takes a message, and sends those that fill a call. */
  async #hand(message: PackedMessage | undefined): Promise<void> {
    if (message === undefined) return;
    this.#lines.begun(message);
    this.#waiting.push(message);
    const [full, rest] = [...batchesOf(this.#waiting)];
    if (full === undefined || rest === undefined) return;
    this.#waiting = rest;
    await this.#call(full);
  }

  async #finish(): Promise<void> {
    await this.#hand(this.#packer.finish());
    for (const batch of batchesOf(this.#waiting)) await this.#call(batch);
    this.#waiting = [];
  }

  async #call(messages: readonly PackedMessage[]): Promise<void> {
    await this.#calls.run(() => this.#send(messages).catch((error: unknown) => this.#fail(error)));
  }

  async #send(messages: readonly PackedMessage[]): Promise<void> {
    const { send, flow, tally } = this.#job;
    const recordCount = messages.reduce((sum, message) => sum + message.recordCount, 0);
    flow.inFlight += recordCount;
    try {
      const refusals = await send(messages);
      for (const [at, message] of messages.entries()) {
        const refused = refusals[at];
        if (refused === undefined) this.#count(message, tally);
        else this.#fail(new OperatorError(`SQS refused a message (${refused.Code}): ${refused.Message}`));
      }
    } finally {
      flow.inFlight -= recordCount;
    }
  }

  #count(message: PackedMessage, tally: Tally): void {
    this.#lines.sent(message);
    this.messageCount += 1;
    tally.written += message.recordCount;
  }

  #fail(fault: unknown): void {
    const { stop } = this.#job;
    // After an abort, an unfinished retry is not a fault: the abort asked for it.
    if (!stop.signal.aborted) this.#faults.push(fault);
    stop.abort();
  }
}
