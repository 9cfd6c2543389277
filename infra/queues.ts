/**
 * The queues of a stage that takes in records by messages. `records` is the one that producers send to. `rejected` gets
 * each record that can never be stored, and `dead` each message that was received too often.
 */
export const queues = ["records", "rejected", "dead"] as const;

export type QueueRole = (typeof queues)[number];

const SUFFIXES: Readonly<Record<QueueRole, string>> = {
  records: "records",
  rejected: "records-rejected",
  dead: "records-dead",
};

/** The name of a queue in an account or on a laptop, which keeps the queues of several stages apart. */
export const queueName = (stage: string, role: QueueRole): string =>
  `countinghouse-${stage}-${SUFFIXES[role]}`;
