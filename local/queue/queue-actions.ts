import {
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

/** The members of a call, as JSON. */
export type CallInput = Record<string, unknown>;

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

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["ChangeMessageVisibility", changeMessageVisibility],
  ["ChangeMessageVisibilityBatch", changeMessageVisibilityBatch],
  ["DeleteMessage", deleteMessage],
  ["DeleteMessageBatch", deleteMessageBatch],
  ["GetQueueAttributes", getQueueAttributes],
  ["GetQueueUrl", getQueueUrl],
  ["ListQueues", listQueues],
  ["PurgeQueue", purgeQueue],
  ["ReceiveMessage", receive],
  ["SendMessage", onQueue(sendMessage)],
  ["SendMessageBatch", onQueue(sendMessageBatch)],
]);

/** The action that answers a call; undefined for a call that the local queues do not know. */
export const actionOf = (name: string): Action | undefined => ACTIONS.get(name);

/** The names of the calls that are answered. */
export const actionNames = (): readonly string[] => [...ACTIONS.keys()];
