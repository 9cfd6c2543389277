import { alarmName, switchedOffName } from "../../infra/alarms/alarm.ts";
import { clientLimits } from "../../local/store/client-limits.ts";
import { parseDuration } from "../arguments/parse-duration.ts";
import { ended } from "../store/ended.ts";

const MINUTE_MS = 60_000;
/** CloudWatch mutes for 15 days at most. */
const MUTED_MAX_MS = 15 * 24 * 60 * MINUTE_MS;

/**
 * For how long an alarm is muted, in milliseconds.
 *
 * @throws {RangeError} with a message for the operator, when CloudWatch takes no such time.
 */
export function parseMute(text: string): number {
  const lengthMs = parseDuration(text);
  if (lengthMs % MINUTE_MS === 0 && lengthMs <= MUTED_MAX_MS) return lengthMs;
  throw new RangeError("Give whole minutes or hours up to 360h, such as 30m or 2h.");
}

/** A time in which an alarm tells nobody, in epoch milliseconds. */
export interface MutedTime {
  readonly from: number;
  readonly until: number;
}

/** The time that begins with the next full minute: CloudWatch knows no seconds, and the alarm rings after 15 minutes. */
export function mutedTime(now: number, lengthMs: number): MutedTime {
  const from = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  return { from, until: from + lengthMs };
}

/** The name of the alarm of a stage that reminds of a switch that is off, the only one that a switch lets ring. */
export const alarmOf = (stageName: string, endpoint: string): string =>
  alarmName(stageName, switchedOffName(endpoint));

/** Lets an alarm tell nobody for a time; if it rings at its end, it tells then. Without a time, ends the one there is. */
export async function muteAlarm(
  Name: string,
  region: string | undefined,
  { muted, reason = "" }: { readonly muted?: MutedTime; readonly reason?: string },
): Promise<void> {
  const aws = await import("@aws-sdk/client-cloudwatch");
  using client = ended(
    new aws.CloudWatchClient({ requestHandler: clientLimits, ...(region !== undefined && { region }) }),
  );
  if (muted === undefined) {
    await client.send(new aws.DeleteAlarmMuteRuleCommand({ AlarmMuteRuleName: Name }));
    return;
  }
  const Expression = `at(${new Date(muted.from).toISOString().slice(0, "yyyy-mm-ddThh:mm".length)})`;
  const Duration = `PT${(muted.until - muted.from) / MINUTE_MS}M`;
  const Rule = { Schedule: { Expression, Duration } };
  const MuteTargets = { AlarmNames: [Name] };
  await client.send(new aws.PutAlarmMuteRuleCommand({ Name, Description: reason, Rule, MuteTargets }));
}
