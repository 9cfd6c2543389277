import { queueText } from "./queue-text.ts";

/**
 * Why a record, or a whole message, can never be stored as it is. These words are the attribute `reason` of a message in
 * the rejected queue.
 */
export const rejectionReasons = {
  /** The message is not one JSON object; it is rejected as a whole, unchanged. */
  not_json: "the message is not one JSON object",
  /** The message's kind is not known; it is rejected as a whole, unchanged. */
  unknown_kind: "the message's kind is not known",
  /** The message breaks its contract; it is rejected as a whole, unchanged. */
  invalid_message: "the message breaks its contract",
  /** The message is too large; it is rejected as a whole, unchanged. */
  too_large: "the message is too large",
  /** The record breaks the contract of its kind. */
  invalid_record: "the record breaks its contract",
  /** The trade's market is not listed, and was not for a while. */
  unknown_market: "the trade's market is not listed",
  /** Another trade has the trade's instant and id, and counts in its place. */
  double_id: "another trade has its instant and id",
  /** The trade would be read back otherwise than it was given. */
  unreadable: "the trade would not be read as it was given",
} as const;

export type RejectionReason = keyof typeof rejectionReasons;

/** A message for the rejected queue: one record in the form of a message, or a whole message unchanged. */
export interface Rejection {
  readonly body: string;
  readonly reason: RejectionReason;
  /** The violation's text, which repeats no value of the record. */
  readonly detail: string;
  /** The place of the record in its message, from 1; 0 for a whole message. */
  readonly position: number;
  /** SQS's id of the message that brought the record. */
  readonly messageId: string;
  /** The group of that message, if it had one: a queue is fair between groups, wherever a rejected message goes next. */
  readonly group?: string | undefined;
}

/** The attributes of a rejected message, each a String. `rejected_at` is in ISO 8601, UTC. */
const rejectionAttributes = ["reason", "detail", "position", "message_id", "rejected_at"] as const;

export type RejectionAttribute = (typeof rejectionAttributes)[number];

/** The attributes of a rejected message, by their names. @param now epoch milliseconds. */
export const attributesOf = (
  { reason, detail, position, messageId }: Rejection,
  now: number,
): Readonly<Record<RejectionAttribute, string>> => ({
  reason,
  detail: queueText(detail),
  position: String(position),
  message_id: messageId,
  rejected_at: new Date(now).toISOString(),
});
