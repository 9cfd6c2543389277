import { type QueueRole, queueName } from "../../infra/queues.ts";
import { claimPort } from "../../local/gateway/port.ts";
import type { SqsQueue } from "../../local/queue/fauxqs.ts";
import { type LocalQueues, makeQueues } from "../../local/queue/local-queues.ts";
import { sendMessage } from "../../local/queue/queue-actions.ts";
import type { QueueJournal } from "../../local/queue/queue-journal.ts";
import { serveQueues } from "../../local/queue/queue-server.ts";
import type { QueueDefinition } from "../../local/template/template-queue.ts";

const arnOf = (name: string): string => `arn:aws:sqs:eu-west-1:000000000000:${name}`;
const dead = queueName("local", "dead");

/** The three queues of a stage as its template has them. */
export const queueDefinitions: readonly QueueDefinition[] = [
  {
    name: queueName("local", "records"),
    arn: arnOf(queueName("local", "records")),
    attributes: {
      VisibilityTimeout: "360",
      MaximumMessageSize: "262144",
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf(dead), maxReceiveCount: 5 }),
    },
  },
  { name: queueName("local", "rejected"), arn: arnOf(queueName("local", "rejected")), attributes: {} },
  { name: dead, arn: arnOf(dead), attributes: {} },
];

/** The queues of a stage, with nobody who takes messages from them. */
export const testQueues = (journal?: QueueJournal): LocalQueues =>
  makeQueues(queueDefinitions, "http://127.0.0.1:1/", journal);

/** One of the queues of a stage. */
export const queueOf = ({ store }: LocalQueues, role: QueueRole): SqsQueue =>
  store.getQueueByName(queueName("local", role)) as SqsQueue;

/** An endpoint of SQS in this process, as `npm start` serves it, with nobody who takes messages from its queues. */
export async function startQueueEndpoint() {
  const { port, release } = await claimPort(0, "127.0.0.1", "--queue-port");
  const endpoint = `http://127.0.0.1:${port}`;
  const queues = makeQueues(queueDefinitions, `${endpoint}/`);
  await release();
  const server = await serveQueues({ queues, host: "127.0.0.1", port, isOwnHost: () => true, log: () => {} });
  return {
    endpoint,
    queues,
    /** The bodies of a queue's messages that can be received, in their order. */
    bodies: (role: QueueRole): readonly string[] =>
      queueOf(queues, role)
        .inspectMessages()
        .ready.map(({ body }) => body),
    /** Puts a message into a queue. */
    put: (role: QueueRole, body: string, attributes: Readonly<Record<string, string>> = {}): void => {
      const MessageAttributes = Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: "String", StringValue }]),
      );
      sendMessage(queueOf(queues, role), { MessageBody: body, MessageAttributes });
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
