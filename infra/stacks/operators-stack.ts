import { CfnOutput, Stack, type StackProps, Validations } from "aws-cdk-lib";
import { Effect, ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { diagnosisStatementsOf } from "../constructs/diagnosis-statements.ts";
import { incidentStatementsOf } from "../constructs/incident-statements.ts";
import { mutingStatementsOf } from "../constructs/muting-statements.ts";
import { acknowledgeNamePatterns } from "../constructs/name-patterns.ts";
import { keyStatementsOf } from "../constructs/own-key.ts";
import { queueStatementsOf } from "../constructs/queue-statements.ts";
import { type TableGrant, tableStatementsOf } from "../constructs/table-statements.ts";
import { dashboardName } from "../dashboard/dashboard-body.ts";
import { type OperatorJob, operatorJobs } from "../operators.ts";
import type { Stage } from "../stage.ts";

/** The actions that show alarms, their history and graphs. */
const ALARM_ACTIONS = [
  "cloudwatch:DescribeAlarmHistory",
  "cloudwatch:DescribeAlarms",
  "cloudwatch:GetMetricData",
  "cloudwatch:ListDashboards",
  "cloudwatch:ListMetrics",
] as const;

/**
 * A managed policy for each job of operators, to attach to people's roles. It is a stack of its own, because policies
 * that are attached cannot be deleted together with the API.
 */
export class OperatorsStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage, props: StackProps) {
    super(scope, id, props);
    for (const job of operatorJobs) this.#addPolicy(stage, job);
  }

  #addPolicy(stage: Stage, job: OperatorJob): void {
    const {
      name,
      description,
      tables,
      settings,
      queues = {},
      seesAlarms = false,
      mutesSwitchAlarms = false,
      handlesIncidents = false,
      diagnoses = false,
    } = job;
    const grants = Object.entries(tables) as [TableName, readonly string[]][];
    const policy = new ManagedPolicy(this, name, {
      description: `Lets an operator of the stage ${stage.name} ${description}`,
      statements: [
        ...grants.flatMap(([table, actions]) =>
          table === "Settings" && settings !== undefined
            ? this.#settingsStatements(stage, actions, settings)
            : tableStatementsOf(this, stage, { table, actions }),
        ),
        ...keyStatementsOf(this, stage),
        ...queueStatementsOf(this, stage, queues),
        ...(seesAlarms ? this.#sightOfAlarms(stage) : []),
        ...(mutesSwitchAlarms ? mutingStatementsOf(this, stage) : []),
        ...(handlesIncidents ? incidentStatementsOf(this, stage) : []),
        ...(diagnoses ? diagnosisStatementsOf(this, stage) : []),
      ],
    });
    if (seesAlarms)
      Validations.of(policy).acknowledge({
        id: "AwsSolutions::AwsSolutions-IAM5[Resource::*]",
        reason: "These actions only read, and know no resources or show composite alarms only without them.",
      });
    acknowledgeNamePatterns(policy);
    new CfnOutput(this, `${name}Policy`, {
      value: policy.managedPolicyArn,
      description: `Policy that lets an operator ${description}`,
    });
  }

  /** A scan names no items, so a condition on their keys would refuse it. */
  #settingsStatements(stage: Stage, actions: readonly string[], leadingKeys: readonly string[]) {
    const ofItems = actions.filter((action) => action !== "Scan");
    const grants: readonly TableGrant[] = [
      { table: "Settings", actions: ofItems, leadingKeys },
      ...(ofItems.length < actions.length ? [{ table: "Settings", actions: ["Scan"] } as const] : []),
    ];
    return grants.flatMap((grant) => tableStatementsOf(this, stage, grant));
  }

  /** CloudWatch shows composite alarms, and the values of metrics, only to those who may see all of the account's. */
  #sightOfAlarms({ name }: Stage): PolicyStatement[] {
    const dashboard = {
      service: "cloudwatch",
      region: "",
      resource: "dashboard",
      resourceName: dashboardName(name),
    };
    return [
      new PolicyStatement({ effect: Effect.ALLOW, actions: [...ALARM_ACTIONS], resources: ["*"] }),
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: ["cloudwatch:GetDashboard"],
        resources: [this.formatArn(dashboard)],
      }),
    ];
  }
}
