import { Duration, Stack, Validations } from "aws-cdk-lib";
import { Effect, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Alias } from "aws-cdk-lib/aws-lambda";
import { CfnSchedule, CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { upkeepJobs } from "../../lib/upkeep/settings.ts";
import { usableKeysOf } from "../settings/encryption.ts";
import type { Stage } from "../stage.ts";
import { missedCallsName, scheduleGroupName, upkeepSchedules } from "../upkeep.ts";
import { queueEncryptionOf, queueKeyStatementsOf } from "./own-key.ts";

/**
 * The schedules that call a function, one for each job, which they name in the event. Their role may call the function's
 * alias and tell why a call failed, and EventBridge Scheduler may assume it for this group of schedules alone. We write
 * the resources ourselves: the CDK's target would let the role call everything below the alias, and encrypt with the key.
 *
 * Of EventBridge's own rules AWS calls schedules a legacy feature:
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html. The role is limited to the group, because
 * it cannot be limited to a schedule: https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html.
 */
export class UpkeepSchedules extends Construct {
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, { stage, live }: { stage: Stage; live: Alias }) {
    super(scope, id);
    this.#stage = stage;
    // A schedule has no tags; its group has, and the name of the stage.
    const group = new CfnScheduleGroup(this, "Group", { name: scheduleGroupName(stage.name) });
    const missed = this.#addQueue();
    const role = this.#addRole(group);
    for (const statement of this.#statements(live, missed)) role.addToPolicy(statement);
    for (const job of upkeepJobs) {
      const schedule = new CfnSchedule(this, job === "watch" ? "Watch" : "Expiry", {
        name: job,
        groupName: group.ref,
        description: `Calls the function for its job ${job}`,
        scheduleExpression: upkeepSchedules[job].expression,
        // Said although it is the default: CloudFormation finds and mends drift only of what a template says.
        state: "ENABLED",
        flexibleTimeWindow: { mode: "OFF" },
        ...(stage.encryption?.keyArn !== undefined && { kmsKeyArn: stage.encryption.keyArn }),
        target: {
          arn: live.functionArn,
          roleArn: role.roleArn,
          input: JSON.stringify({ job }),
          retryPolicy: { maximumEventAgeInSeconds: 60 * upkeepSchedules[job].everyMinutes },
          deadLetterConfig: { arn: missed.queueArn },
        },
      });
      // The first call is made at once, and needs what the role may do.
      schedule.node.addDependency(role);
    }
  }

  /** What became of calls that could not be made, with the reason. Nobody needs them once it is mended, and no alarm looks at them: what lasts makes `uncalled` ring. */
  #addQueue(): Queue {
    const queue = new Queue(this, "Missed", {
      queueName: missedCallsName(this.#stage.name),
      retentionPeriod: Duration.days(14),
      enforceSSL: true,
      ...queueEncryptionOf(this, this.#stage),
    });
    Validations.of(queue).acknowledge({
      id: "AwsSolutions::AwsSolutions-SQS3",
      reason: "It is a dead-letter queue itself, that of the schedules. Nothing processes its messages.",
    });
    return queue;
  }

  #addRole(group: CfnScheduleGroup): Role {
    return new Role(this, "Role", {
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
        conditions: {
          StringEquals: { "aws:SourceAccount": Stack.of(this).account, "aws:SourceArn": group.attrArn },
        },
      }),
    });
  }

  #statements(live: Alias, missed: Queue): readonly PolicyStatement[] {
    return [
      allow(["lambda:InvokeFunction"], [live.functionArn]),
      allow(["sqs:SendMessage"], [missed.queueArn]),
      ...queueKeyStatementsOf(this, this.#stage),
      ...this.#ownKeyStatements(),
    ];
  }

  /** To read a schedule that is encrypted with the stage's key, and nothing else that is. */
  #ownKeyStatements(): readonly PolicyStatement[] {
    const keys = usableKeysOf(this.#stage);
    if (keys.length === 0) return [];
    const statement = allow(["kms:Decrypt"], keys);
    statement.addCondition("ArnEquals", {
      "kms:EncryptionContext:aws:scheduler:schedule:arn": upkeepJobs.map((job) =>
        Stack.of(this).formatArn({
          service: "scheduler",
          resource: "schedule",
          resourceName: `${scheduleGroupName(this.#stage.name)}/${job}`,
        }),
      ),
    });
    return [statement];
  }
}

const allow = (actions: readonly string[], resources: readonly string[]): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [...resources] });
