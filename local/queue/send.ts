import { SqsError, type SqsMessage, type SqsQueue, SqsStore } from "./fauxqs.ts";

/** One message as a caller sends it, alone or in a batch. The call's other members are the queue's and the batch's. */
interface Given {
  readonly MessageBody?: string;
  readonly MessageAttributes?: SqsMessage["messageAttributes"];
  readonly DelaySeconds?: number;
}

interface BatchEntry extends Given {
  readonly Id: string;
}

/** The most bytes of a batch, all its messages together. */
const BATCH_BYTES_MAX = 1_048_576;
const ENTRIES_MAX = 10;
const ATTRIBUTES_MAX = 10;
const ENTRY_ID = /^[\w-]{1,80}$/;

/** The characters that no message may have: those outside of XML 1.0. fauxqs refuses those above U+FFFF, too. */
const STRANGE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** Answers `SendMessage`. @throws {SqsError} */
export function sendMessage(queue: SqsQueue, given: Given) {
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
  if (entries.length === 0)
    throw new SqsError(
      "EmptyBatchRequest",
      "There should be at least one SendMessageBatchRequestEntry in the request.",
    );
  if (entries.length > ENTRIES_MAX)
    throw new SqsError(
      "TooManyEntriesInBatchRequest",
      `Maximum number of entries per request are ${ENTRIES_MAX}. You have sent ${entries.length}.`,
    );
  const strange = entries.find(({ Id }) => !ENTRY_ID.test(Id));
  if (strange !== undefined)
    throw new SqsError(
      "InvalidBatchEntryId",
      "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.",
    );
  const twice = entries.find(({ Id }, at) => entries.findIndex((other) => other.Id === Id) < at);
  if (twice !== undefined) throw new SqsError("BatchEntryIdsNotDistinct", `Id ${twice.Id} repeated.`);
  const bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  if (bytes > BATCH_BYTES_MAX)
    throw new SqsError(
      "BatchRequestTooLong",
      `Batch requests cannot be longer than ${BATCH_BYTES_MAX} bytes. You have sent ${bytes} bytes.`,
    );
}

/** The first rule that a message breaks. */
function faultOf(given: Given, { attributes }: SqsQueue): SqsError | undefined {
  const { MessageBody = "", MessageAttributes = {} } = given;
  if (MessageBody === "")
    return new SqsError("MissingParameter", "The request must contain the parameter MessageBody.");
  if (STRANGE.test(MessageBody))
    return new SqsError(
      "InvalidMessageContents",
      "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF",
    );
  const count = Object.keys(MessageAttributes).length;
  if (count > ATTRIBUTES_MAX)
    return new SqsError(
      "InvalidParameterValue",
      `Number of message attributes [${count}] exceeds the allowed maximum [${ATTRIBUTES_MAX}].`,
    );
  const bytesMax = Number(attributes.MaximumMessageSize);
  if (sizeOf(given) > bytesMax)
    return new SqsError(
      "InvalidParameterValue",
      `One or more parameters are invalid. Reason: Message must be shorter than ${bytesMax} bytes.`,
    );
  return undefined;
}

/** The bytes that count for the limits: body, and the names, types and values of attributes. */
function sizeOf({ MessageBody = "", MessageAttributes = {} }: Given): number {
  const texts = Object.entries(MessageAttributes).flatMap(([name, value]) => [
    name,
    value.DataType,
    value.StringValue ?? "",
    value.BinaryValue ?? "",
  ]);
  return [MessageBody, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function enqueued(queue: SqsQueue, { MessageBody = "", MessageAttributes = {}, DelaySeconds }: Given) {
  const delayS = DelaySeconds ?? Number(queue.attributes.DelaySeconds);
  const message = SqsStore.createMessage(MessageBody, MessageAttributes, delayS > 0 ? delayS : undefined);
  queue.enqueue(message);
  const { md5OfMessageAttributes } = message;
  return {
    MessageId: message.messageId,
    MD5OfMessageBody: message.md5OfBody,
    ...(md5OfMessageAttributes !== "" && { MD5OfMessageAttributes: md5OfMessageAttributes }),
  };
}
