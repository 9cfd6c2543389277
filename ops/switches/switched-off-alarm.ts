import type { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { alarmName, switchedOffName } from "../../infra/alarms/alarm.ts";
import { clientLimits } from "../../local/store/client-limits.ts";
import { parseDuration } from "../arguments/parse-duration.ts";

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

/** The alarm of a deployed stage that reminds of a switch that is off: the only one that a switch lets ring. */
export class SwitchedOffAlarm {
  /** The alarm's name, and that of the rule that mutes it. */
  readonly name: string;
  readonly #region: string | undefined;

  constructor(stageName: string, region: string | undefined, endpoint: string) {
    this.name = alarmName(stageName, switchedOffName(endpoint));
    this.#region = region;
  }

  /** Lets the alarm tell nobody for a time. If it rings at its end, it tells then. */
  mute({ from, until }: MutedTime, reason: string): Promise<void> {
    const Expression = `at(${new Date(from).toISOString().slice(0, "yyyy-mm-ddThh:mm".length)})`;
    const Duration = `PT${(until - from) / MINUTE_MS}M`;
    return this.#ask(async (client) => {
      const { PutAlarmMuteRuleCommand } = await import("@aws-sdk/client-cloudwatch");
      await client.send(
        new PutAlarmMuteRuleCommand({
          Name: this.name,
          Description: reason,
          Rule: { Schedule: { Expression, Duration } },
          MuteTargets: { AlarmNames: [this.name] },
        }),
      );
    });
  }

  /** Ends the time, if there is one. */
  unmute(): Promise<void> {
    return this.#ask(async (client) => {
      const { DeleteAlarmMuteRuleCommand } = await import("@aws-sdk/client-cloudwatch");
      await client.send(new DeleteAlarmMuteRuleCommand({ AlarmMuteRuleName: this.name }));
    });
  }

  async #ask(work: (client: CloudWatchClient) => Promise<void>): Promise<void> {
    const { CloudWatchClient } = await import("@aws-sdk/client-cloudwatch");
    const client = new CloudWatchClient({
      requestHandler: clientLimits,
      ...(this.#region !== undefined && { region: this.#region }),
    });
    try {
      await work(client);
    } finally {
      client.destroy();
    }
  }
}
