import { Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { QueueEncryption, type QueueProps } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { usableKeysOf } from "../settings/encryption.ts";
import type { Stage } from "../stage.ts";

/** What whoever reads and writes a table needs of its key. DynamoDB asks on the caller's behalf. */
const TABLE_ACTIONS = ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"] as const;

/** What whoever sends or receives messages needs of the queue's key. */
const QUEUE_ACTIONS = ["kms:Decrypt", "kms:GenerateDataKey"] as const;

/**
 * The permissions to use the operator's own keys by way of DynamoDB alone: nobody gets to decrypt anything by
 * themselves. None for a stage with AWS's keys.
 */
export const keyStatementsOf = (scope: Construct, stage: Stage): readonly PolicyStatement[] =>
  statementsBy(scope, stage, "dynamodb", TABLE_ACTIONS);

/** The same for whoever receives messages, by way of SQS alone, or sends them. */
export const queueKeyStatementsOf = (scope: Construct, stage: Stage): readonly PolicyStatement[] =>
  statementsBy(scope, stage, "sqs", QUEUE_ACTIONS);

function statementsBy(
  scope: Construct,
  stage: Stage,
  service: "dynamodb" | "sqs",
  actions: readonly string[],
): readonly PolicyStatement[] {
  const keys = usableKeysOf(stage);
  if (keys.length === 0) return [];
  const { region } = Stack.of(scope);
  return [
    new PolicyStatement({
      effect: Effect.ALLOW,
      actions: [...actions],
      resources: [...keys],
      conditions: { StringEquals: { "kms:ViaService": `${service}.${region}.amazonaws.com` } },
    }),
  ];
}

/** The operator's own key, for a resource of a construct to be encrypted with. Undefined for a stage with AWS's keys. */
export const ownKey = (scope: Construct, { encryption }: Pick<Stage, "encryption">): IKey | undefined =>
  encryption?.keyArn === undefined ? undefined : Key.fromKeyArn(scope, "OwnKey", encryption.keyArn);

/** How a queue is encrypted. AWS's own key for queues could not be used by other accounts; SQS's asks for no permission. */
export const queueEncryptionOf = (
  scope: Construct,
  stage: Stage,
): Pick<QueueProps, "encryption" | "encryptionMasterKey"> => {
  const encryptionMasterKey = ownKey(scope, stage);
  return encryptionMasterKey === undefined
    ? { encryption: QueueEncryption.SQS_MANAGED }
    : { encryption: QueueEncryption.KMS, encryptionMasterKey };
};
