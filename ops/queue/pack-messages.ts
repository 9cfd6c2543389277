import { createHash } from "node:crypto";
import {
  MESSAGE_BYTES_MAX,
  MESSAGE_RECORDS_MAX,
  type MessageHead,
  type RecordKind,
} from "../../lib/ingest/message.ts";
import { queueJson } from "../../lib/ingest/queue-text.ts";
import { writeMessage } from "../../lib/ingest/write-message.ts";

/**
 * The most records of a message. Trades of a message are written together. Other records are written one by one, and a
 * message with one that could not be written returns as a whole.
 */
const recordsMax = (kind: RecordKind): number => (kind === "trade" ? MESSAGE_RECORDS_MAX : 100);

/** A message that is ready to be sent. */
export interface PackedMessage {
  readonly body: string;
  readonly group: string;
  readonly recordCount: number;
  /** The line of its first record. */
  readonly firstLine: number;
}

/** Packs records of one head into messages, in their order, as many into each as the limits allow. */
export class MessagePacker {
  readonly #head: MessageHead;
  readonly #emptyBytes: number;
  #texts: string[] = [];
  #bytes = 0;
  #firstLine = 0;

  constructor(head: MessageHead) {
    this.#head = head;
    this.#emptyBytes = Buffer.byteLength(writeMessage(head, ["0", "0"])) - "0,0,".length;
  }

  /** The line of the first record that is not in a message yet; undefined when all are. */
  get firstLine(): number | undefined {
    return this.#texts.length === 0 ? undefined : this.#firstLine;
  }

  /** Adds a record, as valid JSON. @returns the message that has no room for it, if there is one. */
  add(text: string, line: number): PackedMessage | undefined {
    const bytes = writtenBytes(text) + 1;
    const isFull =
      this.#texts.length === recordsMax(this.#head.kind) ||
      this.#emptyBytes + this.#bytes + bytes > MESSAGE_BYTES_MAX;
    const full = isFull ? this.finish() : undefined;
    if (this.#texts.length === 0) this.#firstLine = line;
    this.#texts.push(text);
    this.#bytes += bytes;
    return full;
  }

  /** The message of the records that are left, if there are any. */
  finish(): PackedMessage | undefined {
    if (this.#texts.length === 0) return undefined;
    const body = writeMessage(this.#head, this.#texts);
    const message = {
      body,
      group: groupOf(this.#head),
      recordCount: this.#texts.length,
      firstLine: this.#firstLine,
    };
    this.#texts = [];
    this.#bytes = 0;
    return message;
  }
}

/** The bytes of a record in a message, which spells the characters that SQS refuses as escapes. */
const writtenBytes = (text: string): number => Buffer.byteLength(queueJson(text));

/** What SQS takes as the name of a group. */
const GROUP = /^[!-~]{1,128}$/;

/**
 * The group of a message, by its kind and owner. A queue that many write to hands out the messages of quiet groups first
 * (fair queues of SQS), so that a large file of one owner holds up no other. An owner that cannot name a group is hashed.
 */
export function groupOf({ kind, owner }: MessageHead): string {
  if (owner === undefined) return kind;
  const plain = `${kind}/${owner}`;
  return GROUP.test(plain) ? plain : `${kind}/${createHash("sha256").update(owner).digest("hex")}`;
}
