import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { voidPass } from "../../local/records/void-pass.ts";
import { requirePartnerReference } from "../arguments/require-partner-reference.ts";
import { dryRunOption } from "../import/import-options.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore } from "../store/store.ts";
import type { StoreOptions } from "../store/store-options.ts";
import { confirmed, yesOption } from "../terminal/ask.ts";
import {
  addPassChangeOptions,
  type ChangedPass,
  type PassChangeOptions,
  printPass,
  recordPass,
} from "./pass-change.ts";

const HELP = `
A void pass is answered with 410, its content is no longer stored, and its reference cannot be used again. The wallet
service stops polling it. Voiding cannot be undone, so it asks.

Examples:
  ${commands.ops} passes void demo-1
  ${commands.ops} passes void demo-1 --yes

Exit codes: 0 void (or void before), 1 there is no such pass, or it was not confirmed, 2 the pass could not be voided.`;

interface Options extends StoreOptions, PassChangeOptions {
  readonly yes?: true;
}

/** The outcome that voiding a pass would have. */
async function rehearse({ table }: OperatorStore, reference: string): Promise<WriteOutcome> {
  const pass = await new PassStore(table("Passes")).get(reference);
  return await voidPass(
    { void: async () => ({ done: pass?.state === "current", stored: pass }) },
    reference,
    systemClock,
  );
}

async function voidIn(store: OperatorStore, reference: string, options: Options): Promise<ChangedPass> {
  if (options.dryRun === true) return { reference, outcome: await rehearse(store, reference) };
  const outcome = await voidPass(new PassRegister(store.table("Passes")), reference, systemClock);
  await recordPass(store, { reference, outcome }, { command: "passes void" });
  return { reference, outcome };
}

async function voidIt(reference: string, options: Options): Promise<void> {
  requirePartnerReference(reference);
  if (options.dryRun !== true && !(await confirmed(`Void ${reference} for good?`, options))) {
    console.error("Nothing was changed.");
    process.exitCode = exitCodes.someRefused;
    return;
  }
  const changed = await withExistingStore(options, (store) => voidIn(store, reference, options));
  printPass(changed, options, ({ outcome }) => {
    if (outcome === "unchanged") return `${reference} was already void.`;
    return options.dryRun === true ? `${reference} would be void.` : `${reference} is void.`;
  });
}

/** `passes void`: ends a pass for good. */
export function voidOnePass(group: Command): void {
  const command = group
    .command("void")
    .description("void a pass for good")
    .argument("<reference>", "the pass's partner reference")
    .addOption(yesOption())
    .addOption(dryRunOption());
  addPassChangeOptions(command).addHelpText("after", HELP).action(voidIt);
}
