import type { KnownBehaviour } from "../known-behaviour.ts";

const SQS = "SQS developer guide";
const API = "SQS API reference";
const LAMBDA = "Lambda developer guide";

const SERVER = "test/integration/queue/queue-server.test.ts";
const RULES = "test/unit/local/queue/message-rules.test.ts";
const SOURCE = "test/unit/local/queue/event-source.test.ts";
const TEMPLATE = "test/unit/local/template/template-queue.test.ts";

/** What SQS and Lambda's event source do, and how far the local queues do it. */
export const queueBehaviours: readonly KnownBehaviour[] = [
  {
    behaviour:
      "A message has as many bytes as its queue allows, attributes included; a call has ten messages and 1 MiB of them all at most.",
    source: `${API}, SendMessageBatch`,
    standing: "enforced",
    heldBy: SERVER,
  },
  {
    behaviour: "A message has ten attributes at most.",
    source: `${SQS}, Amazon SQS message metadata`,
    standing: "enforced",
    heldBy: SERVER,
  },
  {
    behaviour:
      "A body and the text of an attribute may have the characters of XML 1.0, those beyond 16 bits too, and no half of a surrogate pair.",
    source: `${API}, SendMessage and MessageAttributeValue`,
    standing: "enforced",
    heldBy: RULES,
  },
  {
    behaviour:
      "An attribute has a name of 256 letters, digits, `_`, `-` and `.` at most that does not begin with `AWS.` or `Amazon.`, a type that begins with `String`, `Number` or `Binary`, and a value of it that is not empty.",
    source: `${SQS}, Amazon SQS message metadata`,
    standing: "enforced",
    heldBy: RULES,
  },
  {
    behaviour:
      "A message is delayed by 0 to 900 s. One to a standard queue may name a group, for fair queues, and no deduplication id. `AWSTraceHeader` is the one system attribute.",
    source: `${API}, SendMessage`,
    standing: "enforced",
    heldBy: RULES,
  },
  {
    behaviour: "A member of another type than the call's is a `SerializationException`, with 400.",
    source: `${SQS}, Making query API requests using AWS JSON protocol in Amazon SQS`,
    standing: "enforced",
    heldBy: "test/unit/local/queue/queue-actions.test.ts",
  },
  {
    behaviour:
      "A received message is invisible until its queue's timeout is over, it is given back, or it is deleted; each receive counts.",
    source: `${SQS}, Amazon SQS visibility timeout`,
    standing: "imitated",
    heldBy: SERVER,
  },
  {
    behaviour:
      "A message that was received as often as the redrive policy allows goes to the dead-letter queue at the next receive, with its id.",
    source: `${SQS}, Using dead-letter queues in Amazon SQS`,
    standing: "imitated",
    heldBy: SERVER,
  },
  {
    behaviour:
      "The event source gathers up to its batch size, for its window at most, in an event of 6 MB at most, and runs up to its maximum concurrency.",
    source: `${LAMBDA}, Using Lambda with Amazon SQS; Configuring scaling behavior for SQS event source mappings`,
    standing: "imitated",
    heldBy: SOURCE,
  },
  {
    behaviour:
      "With `ReportBatchItemFailures`, the messages that the function does not name are deleted; an answer that is not understood, an error and a killed function delete none.",
    source: `${LAMBDA}, Handling errors for an SQS event source in Lambda`,
    standing: "imitated",
    heldBy: SOURCE,
  },
  {
    behaviour:
      "A message that failed is received again after the rest of its queue's visibility timeout (here sooner with `--queue-retry`).",
    source: `${LAMBDA}, Handling errors for an SQS event source in Lambda`,
    standing: "imitated",
    heldBy: SOURCE,
  },
  {
    behaviour:
      "Lambda refuses a batch above ten without a window, and a function that may run longer than its queue's visibility timeout.",
    source: `${LAMBDA}, Creating and configuring an Amazon SQS event source mapping`,
    standing: "enforced",
    heldBy: TEMPLATE,
  },
  {
    behaviour: "Messages outlive a stop and a killed process. Here, all can be received again after a start.",
    source: `${SQS}, What is Amazon Simple Queue Service`,
    standing: "imitated",
    heldBy: "test/unit/local/queue/queue-journal.test.ts",
  },
  {
    behaviour:
      "After errors, the event source takes fewer messages at once, and a throttled invocation is repeated while its messages are invisible.",
    source: `${LAMBDA}, Handling errors for an SQS event source in Lambda`,
    standing: "not here",
  },
  {
    behaviour:
      "A standard queue may deliver a message twice, out of order, or leave some out of a short poll. The local queues deliver in order; a message comes twice only after a failure.",
    source: `${SQS}, Amazon SQS standard queues`,
    standing: "not here",
  },
  {
    behaviour: "A message is deleted when its queue's retention period is over. The local queues keep it.",
    source: `${API}, SetQueueAttributes`,
    standing: "not here",
  },
  {
    behaviour:
      "A receipt handle may still delete its message after the visibility timeout. Here the message is then received again.",
    source: `${API}, DeleteMessage`,
    standing: "not here",
  },
  {
    behaviour:
      "SQS checks signatures, the queue's policy and its encryption. The local queues take every caller of this machine.",
    source: `${SQS}, Identity and access management in Amazon SQS`,
    standing: "not here",
  },
  {
    behaviour:
      "SQS creates and changes queues, moves messages by tasks (`StartMessageMoveTask`), and speaks its older query protocol.",
    source: `${API}, Actions`,
    standing: "not here",
    heldBy: SERVER,
  },
];
