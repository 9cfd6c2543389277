import { requireEntries } from "./batch-entries.ts";
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
  type SqsQueue,
  type SqsStore,
} from "./fauxqs.ts";
import { sendMessage, sendMessageBatch } from "./send.ts";

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
