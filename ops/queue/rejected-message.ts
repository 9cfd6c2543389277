import type { Message } from "@aws-sdk/client-sqs";
import { type MessageHead, type RecordKind, readMessage } from "../../lib/ingest/message.ts";
import type { RejectionAttribute } from "../../lib/ingest/rejection.ts";
import { ownMember } from "../../lib/own-member.ts";

/** A message of the rejected queue. */
export interface RejectedMessage {
  readonly id: string;
  /** A word of `rejectionReasons`; `unknown` for a message that somebody else has put there. */
  readonly reason: string;
  readonly detail: string;
  /** The place of the record in the message that brought it, from 1; 0 for a whole message. */
  readonly position: number;
  readonly messageId: string;
  /** ISO 8601 in UTC; empty when it is not known. */
  readonly rejectedAt: string;
  /** Absent for a message that was rejected as a whole. */
  readonly record?: { readonly head: MessageHead; readonly text: string };
  readonly body: string;
}

/** Reads a message of the rejected queue. */
export function rejectedMessageOf({
  MessageId = "",
  Body = "",
  MessageAttributes = {},
}: Message): RejectedMessage {
  const attribute = (name: RejectionAttribute): string =>
    ownMember(MessageAttributes, name)?.StringValue ?? "";
  const position = Number(attribute("position"));
  const read = position > 0 ? readMessage(Body) : undefined;
  const [text, another] = read?.ok === true ? read.message.records : [];
  return {
    id: MessageId,
    reason: attribute("reason") || "unknown",
    detail: attribute("detail"),
    position,
    messageId: attribute("message_id"),
    rejectedAt: attribute("rejected_at"),
    ...(read?.ok === true &&
      text !== undefined &&
      another === undefined && { record: { head: headOf(read.message), text: oneLine(text) } }),
    body: Body,
  };
}

const headOf = ({ kind, owner, revision }: MessageHead): MessageHead => ({ kind, owner, revision });

/** In JSON, the ends of lines are only ever between the parts of a document. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, " ").trim();

/** The command's word for a kind of record, as in `import` and `send`. */
export const KIND_WORDS: Readonly<Record<RecordKind, string>> = {
  transaction: "transactions",
  sell_order: "sell-orders",
  trade: "trades",
  pass: "passes",
  market: "markets",
};
