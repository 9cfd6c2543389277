import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
} from "@aws-sdk/client-sqs";
import type { QueueRole } from "../../infra/queues.ts";
import type { OperatorQueues } from "./queue-client.ts";

const RECEIVED_MAX = 10;
/** A long poll asks all of SQS's servers, so an empty answer to it means an empty queue. */
const WAIT_S = 1;
/** Messages that were seen stay out of sight for so long, so that each is seen once. */
const HIDDEN_S = 900;

/** A visit to the messages of a queue: each is seen once, and stays in the queue unless it is removed. */
export class MessageVisit {
  readonly #queues: OperatorQueues;
  readonly #role: QueueRole;
  readonly #seen = new Set<string>();
  /** Handles of the messages that were seen and are still there, by id. */
  readonly #held = new Map<string, string>();

  constructor(queues: OperatorQueues, role: QueueRole) {
    this.#queues = queues;
    this.#role = role;
  }

  /** The messages of the queue, up to ten at a time, until there are no more or `stop` is aborted. */
  async *messages(stop?: AbortSignal): AsyncGenerator<readonly Message[]> {
    const QueueUrl = await this.#queues.url(this.#role);
    for (;;) {
      if (stop?.aborted === true) return;
      const { Messages = [] } = await this.#queues.client.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: RECEIVED_MAX,
          WaitTimeSeconds: WAIT_S,
          VisibilityTimeout: HIDDEN_S,
          MessageAttributeNames: ["All"],
          MessageSystemAttributeNames: ["All"],
        }),
      );
      const fresh = Messages.filter(({ MessageId = "" }) => !this.#seen.has(MessageId));
      for (const { MessageId = "", ReceiptHandle = "" } of Messages) {
        this.#seen.add(MessageId);
        this.#held.set(MessageId, ReceiptHandle);
      }
      // Nothing, or the first ones again: the visit took so long that they came back.
      if (fresh.length === 0) return;
      yield fresh;
    }
  }

  /** Removes messages that were seen. @returns the ids of those that could not be removed. */
  async remove(ids: readonly string[]): Promise<readonly string[]> {
    const failed = await this.#inTens(ids, async (QueueUrl, entries) => {
      const { Failed } = await this.#queues.client.send(
        new DeleteMessageBatchCommand({ QueueUrl, Entries: entries }),
      );
      return Failed;
    });
    for (const id of ids) if (!failed.includes(id)) this.#held.delete(id);
    return failed;
  }

  /** Lets all messages that are still there be received again at once. */
  async end(): Promise<void> {
    await this.#inTens([...this.#held.keys()], async (QueueUrl, entries) => {
      const Entries = entries.map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
      const { Failed } = await this.#queues.client.send(
        new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }),
      );
      return Failed;
    });
    this.#held.clear();
  }

  async #inTens(ids: readonly string[], call: BatchCall): Promise<readonly string[]> {
    const QueueUrl = await this.#queues.url(this.#role);
    const failed: string[] = [];
    for (let at = 0; at < ids.length; at += RECEIVED_MAX) {
      const some = ids.slice(at, at + RECEIVED_MAX);
      const entries = some.map((id, number) => ({
        Id: `${number}`,
        ReceiptHandle: this.#held.get(id) ?? "",
      }));
      const refused = (await call(QueueUrl, entries)) ?? [];
      failed.push(...refused.map(({ Id }) => some[Number(Id)] as string));
    }
    return failed;
  }
}

/** Sees the messages of a queue, as a {@link MessageVisit} that is ended in any case. */
export async function visitMessages(
  queues: OperatorQueues,
  role: QueueRole,
  stop: AbortSignal | undefined,
  see: (messages: readonly Message[], visit: MessageVisit) => Promise<void>,
): Promise<void> {
  const visit = new MessageVisit(queues, role);
  try {
    for await (const messages of visit.messages(stop)) await see(messages, visit);
  } finally {
    await visit.end();
  }
}

type BatchCall = (
  QueueUrl: string,
  entries: { Id: string; ReceiptHandle: string }[],
) => Promise<readonly { Id: string | undefined }[] | undefined>;
