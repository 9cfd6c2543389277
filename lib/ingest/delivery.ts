import type { SQSRecord } from "aws-lambda";
import { type MessageHead, type ReadMessage, type RecordKind, readMessage } from "./message.ts";
import type { Rejection, RejectionReason } from "./rejection.ts";
import { writeMessage } from "./write-message.ts";

/** One record of a message that is being taken in. */
export interface GivenRecord {
  readonly delivery: Delivery;
  /** What the message says about it. */
  readonly head: MessageHead;
  /** Its place in the message, from 1. */
  readonly position: number;
  /** The document, exactly as the message spells it. */
  readonly text: string;
}

/** What a message of SQS has that counts here. */
export type ReceivedMessage = Pick<SQSRecord, "messageId" | "body"> & {
  readonly attributes: Pick<SQSRecord["attributes"], "ApproximateReceiveCount" | "MessageGroupId">;
};

/**
 * A message as it was received, and what has become of it. It is done once each of its records is stored or rejected; a
 * message that is returned is received again, as a whole.
 */
export class Delivery {
  readonly messageId: string;
  readonly #group: string | undefined;
  /** How often the message has been received, with this time. */
  readonly receiveCount: number;
  readonly records: readonly GivenRecord[];
  readonly #rejections: Rejection[] = [];
  /** The kind of its records; undefined for a message that cannot be read. */
  readonly kind: RecordKind | undefined;
  #isReturned = false;

  constructor({ messageId, body, attributes }: ReceivedMessage) {
    this.messageId = messageId;
    this.#group = attributes.MessageGroupId;
    this.receiveCount = Number(attributes.ApproximateReceiveCount);
    const read = readMessage(body);
    this.kind = read.ok ? read.message.kind : undefined;
    this.records = recordsIn(this, read);
    if (!read.ok) this.#rejections.push({ ...read, body, position: 0, messageId, group: this.#group });
  }

  get isReturned(): boolean {
    return this.#isReturned;
  }

  get rejections(): readonly Rejection[] {
    return this.#rejections;
  }

  /** Notes that a record can never be stored. `detail` repeats no value of the record. */
  reject({ head, text, position }: GivenRecord, reason: RejectionReason, detail: string): void {
    const { messageId } = this;
    const body = writeMessage(head, [text]);
    this.#rejections.push({ body, reason, detail, position, messageId, group: this.#group });
  }

  /** Notes that the message has to be received again. */
  giveBack(): void {
    this.#isReturned = true;
  }
}

function recordsIn(delivery: Delivery, read: ReadMessage): readonly GivenRecord[] {
  if (!read.ok) return [];
  const { records, ...head } = read.message;
  return records.map((text, at) => ({ delivery, head, position: at + 1, text }));
}
