import type { Command } from "commander";
import * as z from "zod/mini";
import { endpoints } from "../../infra/endpoints.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Switch } from "../../lib/switches/switch.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { REASON_RULE } from "../arguments/reason.ts";
import { parseReason } from "../arguments/told-reason.ts";
import { actorOf } from "../audit/actor.ts";
import { recordChange } from "../audit/record-change.ts";
import { look } from "../status/why-not.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore, withStore, withStoreToLookAt } from "../store/store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption, jsonTime, printJson } from "../terminal/json-output.ts";
import { type Cell, instantText, printTable } from "../terminal/write-table.ts";
import { type SetSwitch, SwitchRegister } from "./switch-register.ts";
import { type MutedTime, mutedTime, parseMute, SwitchedOffAlarm } from "./switched-off-alarm.ts";

const endpointNames: readonly string[] = endpoints.map(({ contract }) => contract.name);

const HELP = `
Endpoints: ${endpointNames.join(", ")}
A switch takes effect within five seconds, without a restart or a deployment. An endpoint that is off answers 503 to
everyone. The reason is for the other operators; callers never see it. The status says who set a switch, and when; switches
that were never set, or set by an earlier release, say nothing of it. With --json, status prints an array.

In a stage, an alarm reminds of an endpoint that has been off for 15 minutes. For a planned switch, --mute lets it tell
nobody for a time, and nothing else: at the end it tells, if the endpoint is still off. Switching on ends the time.

Examples:
  ${commands.ops} switch get-sell-order off --reason "payout provider is down"
  ${commands.ops} switch get-sell-order off --reason "the provider moves" --mute 4h --stage prod
  ${commands.ops} switch get-sell-order on
  ${commands.ops} switch status

Exit codes: 0 done, 2 there is no such endpoint, its switch could not be read or set, or its alarm could not be muted.`;

interface Options extends StoreOptions {
  readonly reason?: string;
  /** For how long the endpoint's alarm is muted, in milliseconds. */
  readonly mute?: number;
  readonly dryRun?: true;
  readonly json?: true;
}

const statusShape = z.object({
  endpoint: z.string(),
  isOn: z.boolean(),
  /** Why it is off; null while it is on. */
  reason: z.nullable(z.string()),
  setAt: z.nullable(jsonTime),
  setBy: z.nullable(z.string()),
  /** Until when the alarm tells nobody; only of a change with --mute. */
  mutedUntil: z.optional(jsonTime),
});

/** A change prints the switch that was set; `status` prints an array of switches. */
const shape = z.union([z.array(statusShape), statusShape]);

const example: z.input<typeof shape> = [
  {
    endpoint: "get-sell-order",
    isOn: false,
    reason: "payout provider is down",
    setAt: "2026-11-29T03:00:00.000Z",
    setBy: "arn:aws:sts::123456789012:assumed-role/operators/mara",
  },
];

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

/** The position that is asked for; undefined for `status`, which changes nothing. */
function positionOf(wanted: string, { reason, mute, stage }: Options): Switch | undefined {
  if (mute !== undefined && wanted !== "off") throw new OperatorError("--mute goes with `off` only.");
  if (mute !== undefined && stage === undefined) throw new OperatorError(NOTHING_RINGS);
  if (wanted === "off") return { on: false, reason: requireReason(reason) };
  if (reason !== undefined) throw new OperatorError("--reason goes with `off` only.");
  if (wanted === "on") return { on: true };
  if (wanted === "status") return undefined;
  throw new OperatorError(`A switch cannot be set to "${wanted}": give off, on or status.`);
}

const positionText = (position: Switch): string => (position.on ? "on" : `off: ${position.reason}`);

const jsonOf = (endpoint: string, { position, set }: SetSwitch): z.input<typeof statusShape> => ({
  endpoint,
  isOn: position.on,
  reason: position.on ? null : position.reason,
  setAt: set === undefined ? null : instantText(set.at),
  setBy: set?.by ?? null,
});

const rowOf = (endpoint: string, { position, set }: SetSwitch): Cell[] => [
  endpoint,
  { text: positionText(position), tint: position.on ? "good" : "bad" },
  set === undefined ? "-" : instantText(set.at),
  set?.by ?? "-",
];

async function printStatus(names: readonly string[], store: OperatorStore, json?: true): Promise<void> {
  const register = new SwitchRegister(store.table("Settings"));
  const read = names.map(async (name) => [name, await register.read(name)] as const);
  const switches = await Promise.all(read);
  if (json === true)
    printJson(
      shape,
      switches.map(([name, set]) => jsonOf(name, set)),
    );
  else
    printTable({
      head: ["ENDPOINT", "SWITCH", "SINCE", "BY"],
      rows: switches.map(([name, set]) => rowOf(name, set)),
    });
}

async function put(endpoint: string, position: Switch, options: Options): Promise<void> {
  const isDry = options.dryRun === true;
  await (isDry ? withStoreToLookAt : withStore)(options, async (store) => {
    const alarm = alarmOf(endpoint, options, store);
    if (options.mute !== undefined && alarm === undefined) throw new OperatorError(NOTHING_RINGS);
    const set = { at: systemClock(), by: await actorOf(store) };
    const muted = options.mute === undefined ? undefined : mutedTime(set.at, options.mute);
    if (!isDry) {
      await new SwitchRegister(store.table("Settings")).put(endpoint, position, set);
      const told = await look(async () => alarm && (await tellAlarm(alarm, position, muted)));
      await recordChange(store, {
        command: position.on ? "switch on" : "switch off",
        target: `endpoint ${endpoint}${told.isSeen ? mutedText(muted) : ""}`,
        ...(!position.on && { reason: position.reason }),
      });
      if (!told.isSeen) complain(endpoint, muted, told.why);
    }
    printChange(endpoint, { position, set, muted }, options);
  });
}

function printChange(
  endpoint: string,
  { muted, ...set }: SetSwitch & { readonly muted: MutedTime | undefined },
  { json, dryRun }: Options,
): void {
  if (json === true) {
    const mutedUntil = muted && instantText(muted.until);
    printJson(shape, { ...jsonOf(endpoint, set), ...(mutedUntil !== undefined && { mutedUntil }) });
    return;
  }
  const [verb, note] = dryRun === true ? ["would be", ""] : ["is", " (within five seconds)"];
  console.log(`${endpoint} ${verb} ${positionText(set.position)}${mutedText(muted)}${note}`);
}

/** The alarm that reminds of the switch; undefined where nothing rings, or the store is not the stage's own. */
const alarmOf = (
  endpoint: string,
  { stage }: Options,
  { aws }: OperatorStore,
): SwitchedOffAlarm | undefined =>
  stage === undefined || aws === undefined ? undefined : new SwitchedOffAlarm(stage, aws.region, endpoint);

async function tellAlarm(
  alarm: SwitchedOffAlarm,
  position: Switch,
  muted: MutedTime | undefined,
): Promise<void> {
  if (position.on) await alarm.unmute();
  else if (muted !== undefined) await alarm.mute(muted, position.reason);
}

const mutedText = (muted: MutedTime | undefined): string =>
  muted === undefined ? "" : `, its alarm muted until ${instantText(muted.until)}`;

/** The switch is set, whatever became of the alarm. It is an error only where the alarm was to be muted. */
function complain(endpoint: string, muted: MutedTime | undefined, why: string): void {
  if (muted !== undefined) throw new OperatorError(`${endpoint} is off, but its alarm is not muted: ${why}.`);
  console.error(`If the alarm of ${endpoint} was muted, it stays so until its time is over: ${why}.`);
}

async function operate(endpoint: string, wanted: string | undefined, options: Options): Promise<void> {
  // `switch status` asks for the status of every endpoint.
  const isAll = endpoint === "status" && wanted === undefined;
  const names = isAll ? endpointNames : [requireEndpoint(endpoint)];
  const position = positionOf(wanted ?? "status", options);
  if (position === undefined)
    return withExistingStore(options, (store) => printStatus(names, store, options.json));
  await put(endpoint, position, options);
}

/** `switch`: throws the kill switch of an endpoint, or shows how switches stand. */
export function throwSwitch(group: Command): void {
  const command = addStoreOptions(
    group
      .command("switch")
      .description("switch an endpoint off or on, or show which endpoints are off")
      .argument("[endpoint]", "the endpoint's name; without one, every endpoint's status is shown", "status")
      .argument("[position]", "off, on or status")
      .option("--reason <text>", "why the endpoint is switched off; required with off")
      .option(
        "--mute <span>",
        "with off, of a stage: for how long its alarm is not to remind of it, such as 2h",
        optionOf(parseMute),
      )
      .option("--dry-run", "say what would change, and change nothing"),
  );
  addJsonOption(command, shape, example).addHelpText("after", HELP).action(operate);
}
