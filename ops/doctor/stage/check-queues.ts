import { type QueueRole, queueName, queues } from "../../../infra/queues.ts";
import type { OperatorQueues } from "../../queue/queue-client.ts";
import { takesMessages } from "../../status/read-queues.ts";
import { saidBy } from "../../status/why-not.ts";
import { type Found, fail, ok } from "../finding.ts";
import { deployText, type StageContext } from "./stage-context.ts";

/** Whether the queues are there, encrypted, and messages that cannot be taken in get to the queue *dead*. */
export async function checkQueues({ stage }: StageContext): Promise<readonly Found[]> {
  if (!takesMessages(stage)) return [ok("the stage takes in no records by messages")];
  const { openQueues } = await import("../../queue/queue-client.ts");
  const opened = await openQueues({ data: "", stage: stage.name });
  try {
    const found = await Promise.all(
      queues.map((role) => queueFaults(opened as OperatorQueues, stage.name, role)),
    );
    const faults = found.flat().map((text) => fail(text, `${deployText(stage.name, "data")}.`));
    return faults.length > 0
      ? faults
      : [ok(`${queues.join(", ")} are there, encrypted, and failures go to dead`)];
  } finally {
    opened?.close();
  }
}

async function queueFaults(
  opened: OperatorQueues,
  stageName: string,
  role: QueueRole,
): Promise<readonly string[]> {
  const { GetQueueAttributesCommand } = await import("@aws-sdk/client-sqs");
  try {
    const { Attributes = {} } = await opened.client.send(
      new GetQueueAttributesCommand({ QueueUrl: await opened.url(role), AttributeNames: ["All"] }),
    );
    return attributeFaults(stageName, role, Attributes);
  } catch (error) {
    const said = saidBy(error);
    if (said instanceof Error && /QueueDoesNotExist|NonExistentQueue/.test(said.name))
      return [`${queueName(stageName, role)} is not there`];
    throw error;
  }
}

function attributeFaults(
  stageName: string,
  role: QueueRole,
  { RedrivePolicy, SqsManagedSseEnabled, KmsMasterKeyId }: Readonly<Record<string, string>>,
): readonly string[] {
  const name = queueName(stageName, role);
  const isEncrypted = SqsManagedSseEnabled === "true" || KmsMasterKeyId !== undefined;
  const target = String(JSON.parse(RedrivePolicy ?? "{}").deadLetterTargetArn ?? "");
  return [
    ...(isEncrypted ? [] : [`${name} is not encrypted`]),
    ...(role === "records" && !target.endsWith(`:${queueName(stageName, "dead")}`)
      ? [`${name} sends no failed messages to ${queueName(stageName, "dead")}`]
      : []),
  ];
}
