import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { CfnDashboard } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import { alarmsOf } from "../alarms/alarms-of.ts";
import { joinedAlarms } from "../alarms/joined-alarms.ts";
import { RELEASE_ALARM } from "../alarms/stage-alarms.ts";
import { AlarmTopics } from "../constructs/alarm-topics.ts";
import { PageAlarm } from "../constructs/page-alarm.ts";
import { ServiceAlarm } from "../constructs/service-alarm.ts";
import { dashboardBody, dashboardName } from "../dashboard/dashboard-body.ts";
import type { Stage } from "../stage.ts";

/**
 * The alarms of a stage, the topics that tell of them, and a dashboard. This stack knows the others by names alone, so
 * no answer depends on it, and a mistake in it holds up no release. Only a rollback trigger of the API's stack refers
 * to it, by the ARN of an alarm: once this stack is deleted, deployments of the API fail until the trigger is cleared.
 */
export class AlarmsStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage, props: StackProps) {
    super(scope, id, props);
    const topics = new AlarmTopics(this, "Topics", stage);
    const [notices, pages] = [topics.notices.topicArn, topics.pages.topicArn];
    const definitions = alarmsOf(stage);
    const alarms = new Map(
      definitions.map((definition) => {
        const topicArns = definition.pages ? [notices, pages] : [notices];
        const alarm = new ServiceAlarm(this, definition.name, { definition, stage, topicArns });
        return [definition.name, alarm];
      }),
    );
    const alarmNamed = (name: string): ServiceAlarm => existing(alarms, name);
    for (const joined of joinedAlarms)
      new PageAlarm(this, joined.name, { joined, stage, topicArn: pages, alarm: alarmNamed });
    const joinedNames = new Set(joinedAlarms.flatMap(({ anyOf }) => anyOf));
    const paging = definitions.filter((one) => one.pages || joinedNames.has(one.name));
    this.#addDashboard(
      stage,
      paging.map(({ name }) => alarmNamed(name).arn),
    );
    this.#tell("NoticesTopic", notices, "Topic that tells of every alarm");
    this.#tell("PagesTopic", pages, "Topic that tells when somebody has to look at once");
    this.#tell("RollbackAlarm", alarmNamed(RELEASE_ALARM).arn, "Alarm for --rollback-trigger-alarm-arns");
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

function existing(alarms: ReadonlyMap<string, ServiceAlarm>, name: string): ServiceAlarm {
  const alarm = alarms.get(name);
  if (alarm === undefined) throw new Error(`There is no alarm ${name}.`);
  return alarm;
}
