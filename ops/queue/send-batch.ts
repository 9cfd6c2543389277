import { setTimeout as pause } from "node:timers/promises";
import {
  type BatchResultErrorEntry,
  type MessageAttributeValue,
  SendMessageBatchCommand,
} from "@aws-sdk/client-sqs";
import type { OperatorQueues } from "./queue-client.ts";

/** The most messages, and the most bytes of them all, that SQS takes in one call. */
const ENTRIES_MAX = 10;
const BATCH_BYTES_MAX = 1_048_576;

const ATTEMPTS_MAX = 8;
const FIRST_PAUSE_MS = 200;
const PAUSE_MS_MAX = 5_000;

/** A message to send. */
export interface Outgoing {
  readonly body: string;
  /** The group by which the queue is fair. */
  readonly group?: string | undefined;
  readonly attributes?: Readonly<Record<string, MessageAttributeValue>> | undefined;
}

/** The bytes of a message that count for SQS's limits: its body, and its attributes' names, types and values. */
export function bytesOf({ body, attributes = {} }: Outgoing): number {
  const texts = Object.entries(attributes).flatMap(([name, { DataType = "", StringValue = "" }]) => [
    name,
    DataType,
    StringValue,
  ]);
  const binary = Object.values(attributes).reduce(
    (sum, { BinaryValue }) => sum + (BinaryValue?.length ?? 0),
    0,
  );
  return [body, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), binary);
}

/** Messages in the calls that carry them, in their order. */
export function* batchesOf<Message extends Outgoing>(messages: Iterable<Message>): Generator<Message[]> {
  let batch: Message[] = [];
  let bytes = 0;
  for (const message of messages) {
    const more = bytesOf(message);
    if (batch.length === ENTRIES_MAX || bytes + more > BATCH_BYTES_MAX) {
      if (batch.length > 0) yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(message);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}

/** Why SQS refused a message of a batch: its code and its words. */
export type Refused = Pick<BatchResultErrorEntry, "Code" | "Message">;

/** Waits before another attempt; rejects once a signal is aborted. */
type Pause = (ms: number, stop: AbortSignal | undefined) => Promise<void>;

const realPause: Pause = (ms, signal) => pause(ms, undefined, { signal });

/**
 * Sends messages in one call, and those that SQS could not take for a reason of its own up to eight times. Calls as
 * such are repeated by the client. Repeating may double a message, as SQS itself may.
 *
 * @param messages at most ten, and a MiB of them all.
 * @returns for each message undefined, or why it was refused.
 */
export async function sendBatch(
  { client, url }: Pick<OperatorQueues, "client" | "url">,
  messages: readonly Outgoing[],
  stop?: AbortSignal,
  wait = realPause,
): Promise<readonly (Refused | undefined)[]> {
  const QueueUrl = await url("records");
  const results = new Map<number, Refused>();
  let left = [...messages.keys()];
  for (let attempt = 1; left.length > 0; attempt += 1) {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({ QueueUrl, Entries: left.map((at) => entryOf(at, messages)) }),
    );
    for (const at of left) results.delete(at);
    for (const failed of Failed) results.set(Number(failed.Id), failed);
    const again = Failed.filter(({ SenderFault }) => SenderFault !== true);
    left = attempt === ATTEMPTS_MAX ? [] : again.map(({ Id }) => Number(Id));
    if (left.length > 0) await wait(Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), PAUSE_MS_MAX), stop);
  }
  return messages.map((_, at) => results.get(at));
}

function entryOf(at: number, messages: readonly Outgoing[]) {
  const { body, group, attributes } = messages[at] as Outgoing;
  return {
    Id: `${at}`,
    MessageBody: body,
    ...(group !== undefined && { MessageGroupId: group }),
    ...(attributes !== undefined && { MessageAttributes: { ...attributes } }),
  };
}
