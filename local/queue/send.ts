import { requireEntries } from "./batch-entries.ts";
import { SqsError, type SqsMessage, type SqsQueue, SqsStore } from "./fauxqs.ts";
import { faultOf, type GivenMessage, sizeOf } from "./message-rules.ts";

interface BatchEntry extends GivenMessage {
  readonly Id?: string;
}

/** The most bytes of a batch, all its messages together. */
const BATCH_BYTES_MAX = 1_048_576;

/** Answers `SendMessage`. @throws {SqsError} */
export function sendMessage(queue: SqsQueue, given: GivenMessage) {
  const fault = faultOf(given, queue);
  if (fault !== undefined) throw fault;
  return enqueued(queue, given);
}

/** Answers `SendMessageBatch`: messages that break a rule fail alone. @throws {SqsError} for a batch that breaks one. */
export function sendMessageBatch(queue: SqsQueue, { Entries = [] }: { readonly Entries?: BatchEntry[] }) {
  requireBatch(Entries);
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of Entries) {
    const { Id } = entry;
    const fault = faultOf(entry, queue);
    if (fault === undefined) Successful.push({ Id, ...enqueued(queue, entry) });
    else Failed.push({ Id, SenderFault: true, Code: fault.code, Message: fault.message });
  }
  return { Successful, Failed };
}

function requireBatch(entries: readonly BatchEntry[]): void {
  requireEntries(entries);
  const bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  if (bytes > BATCH_BYTES_MAX)
    throw new SqsError(
      "BatchRequestTooLong",
      `Batch requests cannot be longer than ${BATCH_BYTES_MAX} bytes. You have sent ${bytes} bytes.`,
    );
}

function enqueued(
  queue: SqsQueue,
  { MessageBody = "", MessageAttributes = {}, DelaySeconds, MessageGroupId }: GivenMessage,
) {
  const delayS = DelaySeconds ?? Number(queue.attributes.DelaySeconds);
  const attributes = MessageAttributes as SqsMessage["messageAttributes"];
  const message = SqsStore.createMessage(
    MessageBody,
    attributes,
    delayS > 0 ? delayS : undefined,
    MessageGroupId,
  );
  queue.enqueue(message);
  const { md5OfMessageAttributes } = message;
  return {
    MessageId: message.messageId,
    MD5OfMessageBody: message.md5OfBody,
    ...(md5OfMessageAttributes !== "" && { MD5OfMessageAttributes: md5OfMessageAttributes }),
  };
}
