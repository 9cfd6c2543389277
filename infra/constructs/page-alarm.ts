import { CfnCompositeAlarm } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import { alarmName, type JoinedAlarm } from "../alarms/alarm.ts";
import type { Stage } from "../stage.ts";
import type { ServiceAlarm } from "./service-alarm.ts";

/**
 * How long the alarm waits for the one that may speak for it, and how long it stays silent after that one: they read
 * metrics that come with different delays.
 */
const SKEW_S = 120;

export interface PageAlarmProps {
  readonly joined: JoinedAlarm;
  readonly stage: Stage;
  /** The topic that pages. */
  readonly topicArn: string;
  /** The alarm of a name. */
  readonly alarm: (name: string) => ServiceAlarm;
}

/** An alarm that pages for others. The notices tell of those, so they do not tell of this one too. */
export class PageAlarm extends Construct {
  constructor(scope: Construct, id: string, { joined, stage, topicArn, alarm }: PageAlarmProps) {
    super(scope, id);
    const { name, section, meaning, anyOf, unless } = joined;
    new CfnCompositeAlarm(this, "Alarm", {
      alarmName: alarmName(stage.name, name),
      alarmDescription: `${meaning} What to do: ${stage.alarms.runbook}#${section}`,
      alarmRule: anyOf.map((one) => `ALARM("${alarm(one).ref}")`).join(" OR "),
      alarmActions: [topicArn],
      okActions: [topicArn],
      ...(unless !== undefined && {
        actionsSuppressor: alarm(unless).ref,
        actionsSuppressorWaitPeriod: SKEW_S,
        actionsSuppressorExtensionPeriod: SKEW_S,
      }),
    });
  }
}
