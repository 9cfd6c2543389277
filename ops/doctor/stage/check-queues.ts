import { type QueueRole, queueName, queues } from "../../../lib/ingest/queues.ts";
import { openStageQueues } from "../../status/read-queues.ts";
import { type Found, fail, ok } from "../finding.ts";
import { deployText, type StageContext } from "./stage-context.ts";

/** Whether the queues are there, encrypted, and messages that cannot be taken in get to the queue *dead*. */
export async function checkQueues({ stage, region }: StageContext): Promise<readonly Found[]> {
  const { GetQueueAttributesCommand } = await import("@aws-sdk/client-sqs");
  const { client, url } = await openStageQueues(stage.name, region);
  const deploy = `${deployText(stage.name, "ingest")}.`;
  const attributesOf = async (role: QueueRole) => {
    try {
      const { Attributes = {} } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl: await url(role), AttributeNames: ["All"] }),
      );
      return [role, Attributes] as const;
    } catch (error) {
      if (error instanceof Error && /QueueDoesNotExist|NonExistentQueue/.test(error.name))
        return [role, undefined] as const;
      throw error;
    }
  };
  try {
    const found = await Promise.all(queues.map(attributesOf));
    const missing = found.filter(([, attributes]) => attributes === undefined);
    if (missing.length === queues.length) return [ok("the stage takes in no records by messages")];
    const faults = found.flatMap(([role, attributes]) =>
      attributes === undefined
        ? [fail(`${queueName(stage.name, role)} is not there`, deploy)]
        : queueFaults(stage.name, role, attributes).map((text) => fail(text, deploy)),
    );
    return faults.length > 0
      ? faults
      : [ok(`${queues.join(", ")} are there, encrypted, and failures go to dead`)];
  } finally {
    client.destroy();
  }
}

function queueFaults(
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
