import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { CfnCompositeAlarm, CfnDashboard } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import { alarmName } from "../alarms/alarm.ts";
import { alarmsOf } from "../alarms/alarms-of.ts";
import { RELEASE_ALARM } from "../alarms/stage-alarms.ts";
import { AlarmTopics } from "../constructs/alarm-topics.ts";
import { ServiceAlarm } from "../constructs/service-alarm.ts";
import { dashboardBody, dashboardName } from "../dashboard/dashboard-body.ts";
import type { Stage } from "../stage.ts";

/** The name of the alarm that pages, and its heading in the runbook. */
const PAGE = "page";

/**
 * What looks after a stage: alarms, the topics that tell of them, and a dashboard. It knows everything by its name, so
 * no answer depends on it, and a mistake in it holds up no release. CloudFormation alone remembers one of its alarms, as
 * the API's rollback trigger, and fails deployments of the API after this stack is deleted, until the trigger is cleared.
 */
export class AlarmsStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage, props: StackProps) {
    super(scope, id, props);
    const topics = new AlarmTopics(this, "Topics", stage);
    const topicArn = topics.notices.topicArn;
    const made = alarmsOf(stage).map((definition) => {
      const alarm = new ServiceAlarm(this, definition.name, { definition, stage, topicArn });
      return { ...definition, alarm };
    });
    const paging = made.filter(({ pages }) => pages).map(({ alarm }) => alarm);
    this.#addPage(stage, { names: paging.map(({ ref }) => ref), topicArn: topics.pages.topicArn });
    this.#addDashboard(
      stage,
      paging.map(({ arn }) => arn),
    );
    const release = made.find(({ name }) => name === RELEASE_ALARM);
    this.#tell("NoticesTopic", topicArn, "Topic that tells of every alarm");
    this.#tell("PagesTopic", topics.pages.topicArn, "Topic that tells when somebody has to look at once");
    this.#tell("RollbackAlarm", release?.alarm.arn ?? "", "Alarm for --rollback-trigger-alarm-arns");
  }

  /** One alarm for several that often ring together: one crash would otherwise page three times. */
  #addPage(stage: Stage, { names, topicArn }: { names: readonly string[]; topicArn: string }): void {
    new CfnCompositeAlarm(this, "Page", {
      alarmName: alarmName(stage.name, PAGE),
      alarmDescription: `Callers are affected. What to do: ${stage.alarms.runbook}#${PAGE}`,
      alarmRule: names.map((name) => `ALARM("${name}")`).join(" OR "),
      alarmActions: [topicArn],
      okActions: [topicArn],
    });
  }

  #addDashboard(stage: Stage, alarmArns: readonly string[]): void {
    new CfnDashboard(this, "Dashboard", {
      dashboardName: dashboardName(stage.name),
      dashboardBody: this.toJsonString(dashboardBody({ stage, region: this.region, alarmArns })),
    });
  }

  #tell(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}
