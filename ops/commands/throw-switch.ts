import type { Command } from "commander";
import * as z from "zod/mini";
import { endpoints } from "../../infra/endpoints.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Switch } from "../../lib/switches/switch.ts";
import { commands } from "../../local/installation.ts";
import { REASON_RULE } from "../arguments/reason.ts";
import { parseReason } from "../arguments/told-reason.ts";
import { actorOf } from "../audit/actor.ts";
import { recordChange } from "../audit/record-change.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore, withStore, withStoreToLookAt } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { type SetSwitch, SwitchRegister } from "../switches/switch-register.ts";
import { addJsonOption, jsonTime, printJson } from "../terminal/json-output.ts";
import { OperatorError } from "../terminal/operator-error.ts";
import { type Cell, instantText, printTable } from "../terminal/write-table.ts";

const endpointNames: readonly string[] = endpoints.map(({ contract }) => contract.name);

const HELP = `
Endpoints: ${endpointNames.join(", ")}
A switch takes effect within five seconds, without a restart or a deployment. An endpoint that is off answers 503 to
everyone. The reason is for the other operators; callers never see it. The status says who set a switch, and when; switches
that were never set, or set by an earlier release, say nothing of it. With --json, status prints an array.

Examples:
  ${commands.ops} switch get-sell-order off --reason "payout provider is down"
  ${commands.ops} switch get-sell-order on
  ${commands.ops} switch status

Exit codes: 0 done, 2 there is no such endpoint, or its switch could not be read or set.`;

interface Options extends StoreOptions {
  readonly reason?: string;
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

/** The position that is asked for; undefined for `status`, which changes nothing. */
function positionOf(wanted: string, reason: string | undefined): Switch | undefined {
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
    const set = { at: systemClock(), by: await actorOf(store) };
    if (!isDry) {
      await new SwitchRegister(store.table("Settings")).put(endpoint, position, set);
      await recordChange(store, {
        command: position.on ? "switch on" : "switch off",
        target: `endpoint ${endpoint}`,
        ...(!position.on && { reason: position.reason }),
      });
    }
    if (options.json === true) return printJson(shape, jsonOf(endpoint, { position, set }));
    const [verb, note] = isDry ? ["would be", ""] : ["is", " (within five seconds)"];
    console.log(`${endpoint} ${verb} ${positionText(position)}${note}`);
  });
}

async function operate(endpoint: string, wanted: string | undefined, options: Options): Promise<void> {
  // `switch status` asks for the status of every endpoint.
  const isAll = endpoint === "status" && wanted === undefined;
  const names = isAll ? endpointNames : [requireEndpoint(endpoint)];
  const position = positionOf(wanted ?? "status", options.reason);
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
      .option("--dry-run", "say what would change, and change nothing"),
  );
  addJsonOption(command, shape, example).addHelpText("after", HELP).action(operate);
}
