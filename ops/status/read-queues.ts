import type { SQSClient } from "@aws-sdk/client-sqs";
import { type QueueRole, queueName, queues } from "../../lib/ingest/queues.ts";
import { clientLimits } from "../../local/store/client-limits.ts";

/** How full a queue is, as SQS counts it: about. */
export interface QueueState {
  readonly queue: QueueRole;
  readonly waiting: number;
  /** Received by somebody, and neither done nor given back. */
  readonly inFlight: number;
}

/** The queues of a stage: the client that reaches them, and the address of each. */
export interface QueueAccess {
  readonly client: SQSClient;
  readonly url: (role: QueueRole) => Promise<string>;
}

/** Whether an error says that there is no such queue. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  /^(?:QueueDoesNotExist|AWS\.SimpleQueueService\.NonExistentQueue)$/.test(error.name);

/** The queues of a deployed stage, which may have none. */
export async function openStageQueues(stageName: string, region: string | undefined): Promise<QueueAccess> {
  const { GetQueueUrlCommand, SQSClient } = await import("@aws-sdk/client-sqs");
  const client = new SQSClient({ requestHandler: clientLimits, ...(region !== undefined && { region }) });
  const url = async (role: QueueRole): Promise<string> => {
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: queueName(stageName, role) }));
    return QueueUrl ?? "";
  };
  return { client, url };
}

/** How full each queue is; undefined for a stage that takes in no records by messages. */
export async function readQueues({ client, url }: QueueAccess): Promise<readonly QueueState[] | undefined> {
  const { GetQueueAttributesCommand } = await import("@aws-sdk/client-sqs");
  const found: QueueState[] = [];
  try {
    for (const queue of queues) {
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({
          QueueUrl: await url(queue),
          AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
        }),
      );
      found.push({
        queue,
        waiting: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
        inFlight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
      });
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return found;
}
