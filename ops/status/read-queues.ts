import { type QueueRole, queues } from "../../infra/queues.ts";
import type { Stage } from "../../infra/stage.ts";
import type { OperatorQueues } from "../queue/queue-client.ts";
import { readStageFile } from "../store/stage-file.ts";
import type { StoreOptions } from "../store/store-options.ts";

/** How full a queue is, as SQS counts it: about. */
export interface QueueState {
  readonly queue: QueueRole;
  readonly waiting: number;
  /** Received by somebody, and neither done nor given back. */
  readonly inFlight: number;
}

/** Whether a stage takes in records by messages; without a stage, whether the laptop does depends on what runs there. */
export const takesMessages = ({ ingest }: Pick<Stage, "ingest">): boolean => ingest !== undefined;

/**
 * How full each queue is; undefined where there are none: the stage takes in no records by messages, or no service runs on
 * the data directory.
 */
export async function readQueues(options: StoreOptions): Promise<readonly QueueState[] | undefined> {
  if (options.stage !== undefined && !takesMessages(readStageFile(options.stage))) return undefined;
  const { openQueues } = await import("../queue/queue-client.ts");
  const opened = await openQueues(options);
  try {
    return opened && (await Promise.all(queues.map((queue) => readQueue(opened, queue))));
  } finally {
    opened?.close();
  }
}

async function readQueue({ client, url }: OperatorQueues, queue: QueueRole): Promise<QueueState> {
  const { GetQueueAttributesCommand } = await import("@aws-sdk/client-sqs");
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: await url(queue),
      AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
    }),
  );
  return {
    queue,
    waiting: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
  };
}
