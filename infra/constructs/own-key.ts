import { Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import type { EncryptionSettings } from "../settings/encryption.ts";
import type { Stage } from "../stage.ts";

/** What whoever reads and writes a table needs of its key. DynamoDB asks on the caller's behalf. */
const TABLE_ACTIONS = ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"] as const;

/**
 * The permissions to use the operator's own keys by way of DynamoDB alone: nobody gets to decrypt anything by
 * themselves. None for a stage with AWS's keys.
 */
export function keyStatementsOf(scope: Construct, { encryption }: Stage): readonly PolicyStatement[] {
  if (encryption === undefined) return [];
  const { region } = Stack.of(scope);
  return [
    new PolicyStatement({
      effect: Effect.ALLOW,
      actions: [...TABLE_ACTIONS],
      resources: [encryption.keyArn, ...encryption.otherKeyArns],
      conditions: { StringEquals: { "kms:ViaService": `dynamodb.${region}.amazonaws.com` } },
    }),
  ];
}

/** The operator's own key, for a resource of a construct to be encrypted with. */
export const ownKey = (scope: Construct, { keyArn }: Pick<EncryptionSettings, "keyArn">): IKey =>
  Key.fromKeyArn(scope, "OwnKey", keyArn);
