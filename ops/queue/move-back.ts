import { setTimeout as pause } from "node:timers/promises";
import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type Message,
  StartMessageMoveTaskCommand,
} from "@aws-sdk/client-sqs";
import type { QueueRole } from "../../infra/queues.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { OperatorQueues } from "./queue-client.ts";
import { isUnknownCall } from "./queue-faults.ts";
import { batchesOf, sendBatch } from "./send-batch.ts";
import { visitMessages } from "./visit-messages.ts";

/** The end of a move: the messages that are in the queue of records again, and those that could not be moved. */
export interface Moved {
  readonly moved: number;
  readonly left: number;
  /** Why some could not, if the queues said so. */
  readonly reason?: string | undefined;
}

export interface MoveOptions {
  /** Receives how far the move is. */
  readonly onProgress: (moved: number, total: number) => void;
  /** Aborted by Ctrl-C. A move that SQS makes itself goes on then. */
  readonly stop: AbortSignal;
  /** Waits between two looks at a move that SQS makes. */
  readonly wait?: (stop: AbortSignal) => Promise<void>;
}

const LOOK_MS = 1_000;
const waitToLook = async (signal: AbortSignal): Promise<void> => {
  await pause(LOOK_MS, undefined, { signal }).catch(() => {});
};

/** About how many messages a queue has, whatever their state, and its ARN. */
export async function countOf({ client, url }: OperatorQueues, role: QueueRole) {
  const QueueUrl = await url(role);
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }),
  );
  const states = ["Messages", "MessagesNotVisible", "MessagesDelayed"] as const;
  const counts = states.map((state) => Number(Attributes[`ApproximateNumberOf${state}`] ?? 0));
  return { arn: Attributes.QueueArn ?? "", count: counts.reduce((sum, one) => sum + one, 0) };
}

/**
 * Moves the dead messages back into the queue of records: by a task of SQS, whose course is watched, or one by one where
 * the endpoint has no such tasks. A message is then sent before it is deleted, so that none is lost whenever this process
 * ends; one may be doubled, as SQS itself may double it.
 */
export async function moveBack(queues: OperatorQueues, total: number, options: MoveOptions): Promise<Moved> {
  const { arn } = await countOf(queues, "dead");
  try {
    if ((await taskOf(queues, arn))?.Status !== "RUNNING")
      await queues.client.send(new StartMessageMoveTaskCommand({ SourceArn: arn }));
  } catch (error) {
    if (!isUnknownCall(error)) throw error;
    return await moveOneByOne(queues, total, options);
  }
  return await watchTask(queues, arn, options);
}

/** The newest task that moves messages out of a queue. */
async function taskOf({ client }: OperatorQueues, SourceArn: string) {
  const { Results = [] } = await client.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
  return Results[0];
}

async function watchTask(
  queues: OperatorQueues,
  arn: string,
  { onProgress, stop, wait = waitToLook }: MoveOptions,
): Promise<Moved> {
  for (;;) {
    const task = await taskOf(queues, arn);
    const moved = task?.ApproximateNumberOfMessagesMoved ?? 0;
    const total = task?.ApproximateNumberOfMessagesToMove ?? moved;
    onProgress(moved, total);
    if (task?.Status === "FAILED")
      throw new OperatorError(
        `SQS stopped moving the messages (${task.FailureReason}): ${moved} of about ${total} were moved.`,
      );
    if (task?.Status !== "RUNNING" || stop.aborted) return { moved, left: Math.max(0, total - moved) };
    await wait(stop);
  }
}

async function moveOneByOne(
  queues: OperatorQueues,
  total: number,
  { onProgress, stop }: MoveOptions,
): Promise<Moved> {
  let moved = 0;
  let left = 0;
  let reason: string | undefined;
  await visitMessages(queues, "dead", stop, async (messages, visit) => {
    const { sent, refused } = await sendAgain(queues, messages);
    const kept = await visit.remove(sent);
    moved += sent.length - kept.length;
    left += messages.length - sent.length + kept.length;
    reason ??= refused;
    onProgress(moved, Math.max(total, moved + left));
  });
  return { moved, left, reason };
}

/** Sends messages as they were. @returns the ids of those that were taken, and why the first of the others was not. */
async function sendAgain(queues: OperatorQueues, messages: readonly Message[]) {
  const sent: string[] = [];
  let refused: string | undefined;
  const outgoing = messages.map(({ MessageId = "", Body = "", Attributes, MessageAttributes }) => ({
    id: MessageId,
    body: Body,
    group: Attributes?.MessageGroupId,
    attributes: MessageAttributes,
  }));
  for (const batch of batchesOf(outgoing)) {
    const results = await sendBatch(queues, batch);
    for (const [at, { id }] of batch.entries()) {
      const result = results[at];
      if (result === undefined) sent.push(id);
      else refused ??= `${result.Code}: ${result.Message}`;
    }
  }
  return { sent, refused };
}
