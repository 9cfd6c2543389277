import { ArnFormat, Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { alarmName, switchedOffName } from "../alarms/alarm.ts";
import { endpoints } from "../endpoints.ts";
import type { Stage } from "../stage.ts";

/**
 * The permissions to mute the alarms that remind of switches, and no others. CloudWatch asks for them on the rule and on
 * the alarm, which have the same name.
 */
export function mutingStatementsOf(scope: Construct, { name }: Pick<Stage, "name">): PolicyStatement[] {
  const arnsOf = (resource: "alarm" | "alarm-mute-rule"): string[] =>
    endpoints.map(({ contract }) =>
      Stack.of(scope).formatArn({
        service: "cloudwatch",
        resource,
        resourceName: alarmName(name, switchedOffName(contract.name)),
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    );
  const rules = arnsOf("alarm-mute-rule");
  return [
    new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ["cloudwatch:PutAlarmMuteRule"],
      resources: [...rules, ...arnsOf("alarm")],
    }),
    new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ["cloudwatch:DeleteAlarmMuteRule"],
      resources: rules,
    }),
  ];
}
