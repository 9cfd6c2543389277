import type { Command } from "commander";
import { endpoints } from "../../infra/endpoints.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Switch } from "../../lib/switches/switch.ts";
import { SwitchRegister } from "../../lib/switches/switch-register.ts";
import { SwitchStore } from "../../lib/switches/switch-store.ts";
import { commands } from "../../local/installation.ts";
import { isReason, REASON_RULE } from "../arguments/reason.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore, withStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { OperatorError } from "../terminal/operator-error.ts";
import { type Cell, printTable } from "../terminal/write-table.ts";

const endpointNames: readonly string[] = endpoints.map(({ contract }) => contract.name);

const HELP = `
Endpoints: ${endpointNames.join(", ")}
A switch takes effect within five seconds, without a restart or a deployment. An endpoint that is off answers 503 to
everyone. The reason is for the other operators; callers never see it.

Examples:
  ${commands.ops} switch get-sell-order off --reason "payout provider is down"
  ${commands.ops} switch get-sell-order on
  ${commands.ops} switch status

Exit codes: 0 done, 2 there is no such endpoint, or its switch could not be read or set.`;

interface Options extends StoreOptions {
  readonly reason?: string;
}

function requireEndpoint(name: string): string {
  if (endpointNames.includes(name)) return name;
  throw new OperatorError(`There is no endpoint "${name}". The endpoints are ${endpointNames.join(", ")}.`);
}

function requireReason(reason: string | undefined): string {
  const text = (reason ?? "").trim();
  if (isReason(text)) return text;
  throw new OperatorError(`Say why with --reason TEXT, ${REASON_RULE}.`);
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

async function printStatus(names: readonly string[], { table }: OperatorStore): Promise<void> {
  const switches = new SwitchStore(table("Settings"), systemClock);
  const rows = names.map(async (name): Promise<Cell[]> => {
    const position = await switches.get(name);
    return [name, { text: positionText(position), tint: position.on ? "good" : "bad" }];
  });
  printTable({ rows: await Promise.all(rows) });
}

async function operate(endpoint: string, wanted: string | undefined, options: Options): Promise<void> {
  // `switch status` asks for the status of every endpoint.
  const isAll = endpoint === "status" && wanted === undefined;
  const names = isAll ? endpointNames : [requireEndpoint(endpoint)];
  const position = positionOf(wanted ?? "status", options.reason);
  if (position === undefined) return withExistingStore(options, (store) => printStatus(names, store));
  await withStore(options, async (store) => {
    await new SwitchRegister(store.table("Settings")).put(endpoint, position);
    console.log(`${endpoint} is ${positionText(position)} (within five seconds)`);
  });
}

/** `switch`: throws the kill switch of an endpoint, or shows how switches stand. */
export function throwSwitch(group: Command): void {
  addStoreOptions(
    group
      .command("switch")
      .description("switch an endpoint off or on, or show which endpoints are off")
      .argument("[endpoint]", "the endpoint's name; without one, every endpoint's status is shown", "status")
      .argument("[position]", "off, on or status")
      .option("--reason <text>", "why the endpoint is switched off; required with off"),
  )
    .addHelpText("after", HELP)
    .action(operate);
}
