import { Duration, Stack, Validations } from "aws-cdk-lib";
import { ArnPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue, type QueueProps, RedrivePermission } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { messageFlow } from "../ingest.ts";
import { type QueueRole, queueName } from "../queues.ts";
import type { Stage } from "../stage.ts";
import { queueEncryptionOf } from "./own-key.ts";
import { removalPolicyOf } from "./removal-policy.ts";

/** The ARN of a queue, as text: whoever names a queue by it does not depend on the stack that has the queue. */
export const queueArn = (scope: Construct, stageName: string, role: QueueRole): string =>
  Stack.of(scope).formatArn({ service: "sqs", resource: queueName(stageName, role) });

/** The address of a queue, as text. */
export function queueUrl(scope: Construct, stageName: string, role: QueueRole): string {
  const { account, region, urlSuffix } = Stack.of(scope);
  return `https://sqs.${region}.${urlSuffix}/${account}/${queueName(stageName, role)}`;
}

/** The queues of records: what waits in them must outlive every deployment. */
export class IngestQueues extends Construct {
  readonly #stage: Stage;
  readonly #encryption: ReturnType<typeof queueEncryptionOf>;

  constructor(scope: Construct, id: string, stage: Stage, { producers }: NonNullable<Stage["ingest"]>) {
    super(scope, id);
    this.#stage = stage;
    this.#encryption = queueEncryptionOf(this, stage);
    const source = Queue.fromQueueArn(this, "Source", queueArn(this, stage.name, "records"));
    const dead = this.#addQueue("dead", { redriveAllowPolicy: { sourceQueues: [source] } });
    const records = this.#addQueue("records", {
      visibilityTimeout: Duration.seconds(messageFlow.visibilitySeconds),
      maxMessageSizeBytes: messageFlow.messageBytesMax,
      deadLetterQueue: { queue: dead, maxReceiveCount: messageFlow.receivesMax },
    });
    records.addToResourcePolicy(
      new PolicyStatement({
        sid: "Producers",
        effect: Effect.ALLOW,
        principals: producers.map((arn) => new ArnPrincipal(arn)),
        actions: ["sqs:GetQueueUrl", "sqs:SendMessage"],
        resources: [records.queueArn],
      }),
    );
    Validations.of(this.#addQueue("rejected")).acknowledge({
      id: "AwsSolutions::AwsSolutions-SQS3",
      reason: "Nothing processes these messages, so none of them can fail: people export them.",
    });
  }

  #addQueue(role: QueueRole, props: QueueProps = {}): Queue {
    return new Queue(this, role.charAt(0).toUpperCase() + role.slice(1), {
      queueName: queueName(this.#stage.name, role),
      retentionPeriod: Duration.days(messageFlow.keptDays[role]),
      enforceSSL: true,
      // No other queue may put its dead messages here.
      redriveAllowPolicy: { redrivePermission: RedrivePermission.DENY_ALL },
      removalPolicy: removalPolicyOf(this.#stage),
      ...this.#encryption,
      ...props,
    });
  }
}
