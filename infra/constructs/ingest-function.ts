import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnEventSourceMapping } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { ingestEnvironmentOf } from "../environment.ts";
import { ingest, messageFlow } from "../ingest.ts";
import type { Stage } from "../stage.ts";
import { queueArn, queueUrl } from "./ingest-queues.ts";
import { queueKeyStatementsOf } from "./own-key.ts";
import { ServiceFunction } from "./service-function.ts";

/** The function that takes in messages, and the mapping by which Lambda calls it with batches of them. */
export class IngestFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, stage: Stage) {
    const eventSourceArn = queueArn(scope, stage.name, "records");
    super(scope, id, stage, {
      ...ingest,
      description: "Takes in records by messages of a queue",
      environment: ingestEnvironmentOf(stage, queueUrl(scope, stage.name, "rejected")),
      statements: [
        allow(["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"], eventSourceArn),
        allow(["sqs:SendMessage"], queueArn(scope, stage.name, "rejected")),
        ...queueKeyStatementsOf(scope, stage),
      ],
    });
    new CfnEventSourceMapping(this, "Messages", {
      functionName: this.live.functionArn,
      eventSourceArn,
      batchSize: messageFlow.batchMessages,
      maximumBatchingWindowInSeconds: messageFlow.windowSeconds,
      scalingConfig: { maximumConcurrency: messageFlow.concurrencyMax },
      functionResponseTypes: ["ReportBatchItemFailures"],
    });
  }
}

const allow = (actions: readonly string[], resource: string): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [resource] });
