import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { OperatorJob } from "../operators.ts";
import type { QueueRole } from "../queues.ts";
import type { Stage } from "../stage.ts";
import { queueArn } from "./ingest-queues.ts";
import { queueKeyStatementsOf } from "./own-key.ts";

/**
 * The permissions for what a job does with the queues of records, and for their key if messages are read or sent. None in a
 * stage without queues.
 */
export function queueStatementsOf(
  scope: Construct,
  stage: Stage,
  queues: NonNullable<OperatorJob["queues"]>,
): readonly PolicyStatement[] {
  if (stage.ingest === undefined) return [];
  const granted = Object.entries(queues) as [QueueRole, readonly string[]][];
  const readsOrSends = granted.some(([, actions]) =>
    actions.some((action) => /^(?:Receive|Send)/.test(action)),
  );
  return [
    ...granted.map(
      ([role, actions]) =>
        new PolicyStatement({
          effect: Effect.ALLOW,
          actions: actions.map((action) => `sqs:${action}`),
          resources: [queueArn(scope, stage.name, role)],
        }),
    ),
    ...(readsOrSends ? queueKeyStatementsOf(scope, stage) : []),
  ];
}
