import { clientLimits } from "../../local/store/client-limits.ts";

/** An alarm that rings. */
export interface RingingAlarm {
  readonly name: string;
  /** ISO 8601 in UTC. */
  readonly since: string | undefined;
  /** In CloudWatch's words. */
  readonly reason: string;
}

/** The alarms of a stage that ring now, by the beginning of their names. */
export async function readRingingAlarms(
  stageName: string,
  region: string | undefined,
): Promise<readonly RingingAlarm[]> {
  const { CloudWatchClient, paginateDescribeAlarms } = await import("@aws-sdk/client-cloudwatch");
  const client = new CloudWatchClient({
    requestHandler: clientLimits,
    ...(region !== undefined && { region }),
  });
  const found: RingingAlarm[] = [];
  try {
    const pages = paginateDescribeAlarms(
      { client },
      {
        AlarmNamePrefix: `countinghouse-${stageName}-`,
        AlarmTypes: ["MetricAlarm", "CompositeAlarm"],
        StateValue: "ALARM",
      },
    );
    for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages)
      for (const { AlarmName = "", StateUpdatedTimestamp, StateReason = "" } of [
        ...CompositeAlarms,
        ...MetricAlarms,
      ])
        found.push({ name: AlarmName, since: StateUpdatedTimestamp?.toISOString(), reason: StateReason });
  } finally {
    client.destroy();
  }
  return found;
}
