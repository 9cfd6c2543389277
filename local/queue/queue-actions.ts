import { readCall } from "./call-shapes.ts";
import {
  ALL_ATTRIBUTE_NAMES,
  changeMessageVisibility,
  changeMessageVisibilityBatch,
  deleteMessage,
  deleteMessageBatch,
  getQueueAttributes,
  listQueues,
  purgeQueue,
  receiveMessage,
  SqsError,
  type SqsMessage,
  type SqsQueue,
  SqsStore,
} from "./fauxqs.ts";
import { faultOf, type GivenMessage, sizeOf } from "./message-rules.ts";

/** The members of a call, each of its type. */
type CallInput = Record<string, unknown>;

/** Answers one call, or throws an `SqsError`. */
type Action = (input: CallInput, store: SqsStore) => unknown;

/** A call to the queue that its `QueueUrl` names, which fauxqs does not answer as it stands. */
const onQueue =
  (act: (queue: SqsQueue, input: CallInput) => unknown): Action =>
  (input, store) =>
    act(queueOf(input, store), input);

function queueOf({ QueueUrl }: CallInput, store: SqsStore): SqsQueue {
  if (typeof QueueUrl !== "string")
    throw new SqsError("MissingParameter", "The request must contain the parameter QueueUrl.");
  const queue = store.getQueue(QueueUrl);
  if (queue === undefined) throw notThere();
  return queue;
}

const notThere = (): SqsError =>
  new SqsError("QueueDoesNotExist", "The specified queue does not exist.", 400, true, "NonExistentQueue");

/** By name alone: a caller may sign for any region. */
function getQueueUrl({ QueueName }: CallInput, store: SqsStore) {
  const queue = store.getQueueByName(String(QueueName));
  if (queue === undefined) throw notThere();
  return { QueueUrl: queue.url };
}

/** SQS returns only the attributes that are asked for; fauxqs returns all where none are. */
async function receive(input: CallInput, store: SqsStore) {
  const { MessageAttributeNames: names } = input;
  const received = await receiveMessage(input, store);
  if (Array.isArray(names) && names.length > 0) return received;
  for (const message of received.Messages ?? []) {
    delete message.MessageAttributes;
    delete message.MD5OfMessageAttributes;
  }
  return received;
}

/** fauxqs takes any batch of entries. */
const onEntries =
  (members: readonly string[], act: Action): Action =>
  (input, store) => {
    requireEntries((input.Entries ?? []) as readonly object[], members);
    return act(input, store);
  };

/** fauxqs leaves out what it does not know. */
const attributesOf: Action = (input, store) => {
  const unknown = ((input.AttributeNames ?? []) as readonly string[]).find(
    (name) => name !== "All" && !(ALL_ATTRIBUTE_NAMES as readonly string[]).includes(name),
  );
  if (unknown !== undefined) throw new SqsError("InvalidAttributeName", `Unknown Attribute ${unknown}.`);
  return getQueueAttributes(input, store);
};

const LIST_MAX = 1_000;

const list: Action = (input, store) => {
  const { MaxResults = 1 } = input as { readonly MaxResults?: number };
  if (MaxResults < 1 || MaxResults > LIST_MAX)
    throw new SqsError("InvalidParameterValue", `MaxResults must be from 1 to ${LIST_MAX}.`);
  return listQueues(input, store);
};

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["ChangeMessageVisibility", changeMessageVisibility],
  [
    "ChangeMessageVisibilityBatch",
    onEntries(["ReceiptHandle", "VisibilityTimeout"], changeMessageVisibilityBatch),
  ],
  ["DeleteMessage", deleteMessage],
  ["DeleteMessageBatch", onEntries(["ReceiptHandle"], deleteMessageBatch)],
  ["GetQueueAttributes", attributesOf],
  ["GetQueueUrl", getQueueUrl],
  ["ListQueues", list],
  ["PurgeQueue", purgeQueue],
  ["ReceiveMessage", receive],
  ["SendMessage", onQueue(sendMessage)],
  ["SendMessageBatch", onQueue(sendMessageBatch)],
]);

/**
 * What answers a call, given its body as JSON; undefined for a call that the local queues do not know. It throws an
 * `SqsError`, for members of other types too.
 */
export function actionOf(name: string): ((input: unknown, store: SqsStore) => unknown) | undefined {
  const act = ACTIONS.get(name);
  return act && ((input, store) => act(readCall(name, input), store));
}

/** The names of the calls that are answered. */
export const actionNames = (): readonly string[] => [...ACTIONS.keys()];

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
function sendMessageBatch(queue: SqsQueue, { Entries = [] }: { readonly Entries?: BatchEntry[] }) {
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

const ENTRIES_MAX = 10;
const ENTRY_ID = /^[\w-]{1,80}$/;

interface Entry {
  readonly Id?: string;
}

/** Requires what the entries of each batch must be. @throws {SqsError} for the first rule that they break. @param members that each must have beside `Id`. */
function requireEntries(entries: readonly Entry[], members: readonly string[] = []): void {
  if (entries.length === 0)
    throw new SqsError("EmptyBatchRequest", "There should be at least one entry in the request.");
  if (entries.length > ENTRIES_MAX)
    throw new SqsError(
      "TooManyEntriesInBatchRequest",
      `Maximum number of entries per request are ${ENTRIES_MAX}. You have sent ${entries.length}.`,
    );
  for (const [at, entry] of entries.entries())
    for (const member of ["Id", ...members])
      if (!Object.hasOwn(entry, member))
        throw new SqsError(
          "MissingParameter",
          `The request must contain the parameter Entries[${at}].${member}.`,
        );
  const strange = entries.find(({ Id = "" }) => !ENTRY_ID.test(Id));
  if (strange !== undefined)
    throw new SqsError(
      "InvalidBatchEntryId",
      "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.",
    );
  const twice = entries.find(({ Id }, at) => entries.findIndex((other) => other.Id === Id) < at);
  if (twice !== undefined) throw new SqsError("BatchEntryIdsNotDistinct", `Id ${twice.Id} repeated.`);
}
