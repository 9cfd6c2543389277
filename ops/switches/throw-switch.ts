import * as z from "zod/mini";
import { endpoints } from "../../infra/endpoints.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Switch } from "../../lib/switches/switch.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { REASON_RULE } from "../arguments/reason.ts";
import { parseReason } from "../arguments/told-reason.ts";
import { actorOf } from "../audit/actor.ts";
import { defineCommand } from "../command.ts";
import { look } from "../status/why-not.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { type Cell, instantOrNull, instantText } from "../terminal/write-table.ts";
import { type SetSwitch, SwitchRegister } from "./switch-register.ts";
import { alarmOf, type MutedTime, muteAlarm, mutedTime, parseMute } from "./switched-off-alarm.ts";

const endpointNames: readonly string[] = endpoints.map(({ contract }) => contract.name);

const switchShape = z.object({
  endpoint: z.string(),
  isOn: z.boolean(),
  /** Why it is off; null while it is on. */
  reason: z.nullable(z.string()),
  setAt: z.nullable(jsonTime),
  setBy: z.nullable(z.string()),
  /** Until when the alarm tells nobody; only of a change with --mute. */
  mutedUntil: z.optional(jsonTime),
});

function requireEndpoint(name: string): string {
  if (endpointNames.includes(name)) return name;
  throw new OperatorError(`There is no endpoint "${name}". The endpoints are ${endpointNames.join(", ")}.`);
}

function requireReason(reason: string | undefined): string {
  try {
    return parseReason(reason ?? "");
  } catch (error) {
    const why = error instanceof RangeError && reason !== undefined ? ` ${error.message}` : "";
    throw new OperatorError(`Say why with --reason TEXT, ${REASON_RULE}.${why}`, error);
  }
}

const NOTHING_RINGS = "--mute needs a deployed stage (--stage): nothing rings elsewhere.";

interface Wishes {
  readonly reason?: string;
  /** For how long the endpoint's alarm is muted, in milliseconds. */
  readonly mute?: number;
  readonly stage?: string;
}

/** The position that is asked for; undefined for `status`, which changes nothing. */
function positionOf(wanted: string, { reason, mute, stage }: Wishes): Switch | undefined {
  if (mute !== undefined && wanted !== "off") throw new OperatorError("--mute goes with `off` only.");
  if (mute !== undefined && stage === undefined) throw new OperatorError(NOTHING_RINGS);
  if (wanted === "off") return { on: false, reason: requireReason(reason) };
  if (reason !== undefined) throw new OperatorError("--reason goes with `off` only.");
  if (wanted === "on") return { on: true };
  if (wanted === "status") return undefined;
  throw new OperatorError(`A switch cannot be set to "${wanted}": give off, on or status.`);
}

const positionText = (position: Switch): string => (position.on ? "on" : `off: ${position.reason}`);

const jsonOf = (endpoint: string, { position, set }: SetSwitch): z.input<typeof switchShape> => ({
  endpoint,
  isOn: position.on,
  reason: position.on ? null : position.reason,
  setAt: instantOrNull(set?.at),
  setBy: set?.by ?? null,
});

const rowOf = (endpoint: string, { position, set }: SetSwitch): Cell[] => [
  endpoint,
  { text: positionText(position), tint: position.on ? "good" : "bad" },
  set === undefined ? "-" : instantText(set.at),
  set?.by ?? "-",
];

async function readStatus(names: readonly string[], store: OperatorStore) {
  const register = new SwitchRegister(store.table("Settings"));
  const read = names.map(async (name) => [name, await register.read(name)] as const);
  const switches = await Promise.all(read);
  return {
    json: switches.map(([name, set]) => jsonOf(name, set)),
    text: {
      head: ["ENDPOINT", "SWITCH", "SINCE", "BY"],
      rows: switches.map(([name, set]) => rowOf(name, set)),
    },
  };
}

const mutedText = (muted: MutedTime | undefined): string =>
  muted === undefined ? "" : `, its alarm muted until ${instantText(muted.until)}`;

/** The switch is set, whatever became of the alarm. It is an error only where the alarm was to be muted. */
function complain(endpoint: string, muted: MutedTime | undefined, why: string): void {
  if (muted !== undefined) throw new OperatorError(`${endpoint} is off, but its alarm is not muted: ${why}.`);
  console.error(`If the alarm of ${endpoint} was muted, it stays so until its time is over: ${why}.`);
}

/** `switch`: throws the kill switch of an endpoint, or shows how switches stand. */
export const throwSwitch = defineCommand({
  words: "switch",
  summary: "switch an endpoint off or on, or show which endpoints are off",
  about: `
Endpoints: ${endpointNames.join(", ")}
A switch takes effect within five seconds, without a restart or a deployment. An endpoint that is off answers 503 to
everyone. The reason is for the other operators; callers never see it. The status says who set a switch, and when; switches
that were never set, or set by an earlier release, say nothing of it. With --json, status prints an array.

In a stage, an alarm reminds of an endpoint that has been off for 15 minutes. For a planned switch, --mute lets it tell
nobody for a time, and nothing else: at the end it tells, if the endpoint is still off. Switching on ends the time.`,
  examples: [
    'ops switch get-sell-order off --reason "payout provider is down"',
    'ops switch get-sell-order off --reason "the provider moves" --mute 4h --stage prod',
    "ops switch get-sell-order on",
    "ops switch status",
  ],
  exits: {
    0: "done",
    2: "there is no such endpoint, its switch could not be read or set, or its alarm could not be muted",
  },
  on: "store, made if missing",
  takes: {
    "[endpoint]": {
      text: "the endpoint's name; or status, which shows every endpoint",
      default: "status",
    },
    "[position]": "off, on or status",
    "--reason <text>": "why the endpoint is switched off; required with off",
    "--mute <span>": {
      text: "with off, of a stage: for how long its alarm is not to remind of it, such as 2h",
      parse: parseMute,
    },
  },
  dryRun: "say what would change, and change nothing",
  json: {
    // A change prints the switch that was set; `status` prints an array of switches.
    shape: z.union([z.array(switchShape), switchShape]),
    example: [
      {
        endpoint: "get-sell-order",
        isOn: false,
        reason: "payout provider is down",
        setAt: "2026-11-29T03:00:00.000Z",
        setBy: "arn:aws:sts::123456789012:assumed-role/operators/mara",
      },
    ],
  },
  async run({ endpoint, position: wanted, ...wishes }, { store: open, record }) {
    // `switch status` asks for the status of every endpoint.
    const isAll = endpoint === "status" && wanted === undefined;
    const names = isAll ? endpointNames : [requireEndpoint(endpoint)];
    const position = positionOf(wanted ?? "status", wishes);
    if (position === undefined) return await readStatus(names, await open("something to be there"));
    const store = await open();
    const { stage, mute, dryRun } = wishes;
    // Nothing rings for a store that is not the stage's own.
    const alarm = stage === undefined || store.aws === undefined ? undefined : alarmOf(stage, endpoint);
    if (mute !== undefined && alarm === undefined) throw new OperatorError(NOTHING_RINGS);
    const set = { at: systemClock(), by: await actorOf(store) };
    const muted = mute === undefined ? undefined : mutedTime(set.at, mute);
    if (!dryRun) {
      await new SwitchRegister(store.table("Settings")).put(endpoint, position, set);
      const told = await look(async () => {
        if (alarm === undefined) return;
        if (position.on) await muteAlarm(alarm, store.aws?.region, {});
        else if (muted !== undefined)
          await muteAlarm(alarm, store.aws?.region, { muted, reason: position.reason });
      });
      await record({
        command: position.on ? "switch on" : "switch off",
        target: `endpoint ${endpoint}${told.isSeen ? mutedText(muted) : ""}`,
        ...(!position.on && { reason: position.reason }),
      });
      if (!told.isSeen) complain(endpoint, muted, told.why);
    }
    const [verb, note] = dryRun ? ["would be", ""] : ["is", " (within five seconds)"];
    return {
      json: {
        ...jsonOf(endpoint, { position, set }),
        ...(muted !== undefined && { mutedUntil: instantText(muted.until) }),
      },
      text: `${endpoint} ${verb} ${positionText(position)}${mutedText(muted)}${note}`,
    };
  },
});
