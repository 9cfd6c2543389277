import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { voidPass } from "../../lib/passes/void-pass.ts";
import { commands } from "../../local/installation.ts";
import { requirePartnerReference } from "../arguments/require-partner-reference.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { exitCodes } from "../terminal/operator-error.ts";

const HELP = `
A void pass is answered with 410, its content is no longer stored, and its reference cannot be used again. The wallet
service stops polling it. Voiding cannot be undone.

Example:
  ${commands.ops} passes void demo-1

Exit codes: 0 void (or void before), 1 there is no such pass, 2 the pass could not be voided.`;

async function voidIt(reference: string, options: StoreOptions): Promise<void> {
  requirePartnerReference(reference);
  const outcome = await withExistingStore(options, ({ table }) =>
    voidPass(new PassRegister(table("Passes")), reference, systemClock),
  );
  if (outcome.outcome === "refused") {
    console.error(`Refused: ${outcome.reason}.`);
    process.exitCode = exitCodes.someRefused;
    return;
  }
  console.log(outcome.outcome === "unchanged" ? `${reference} was already void.` : `${reference} is void.`);
}

/** `passes void`: ends a pass for good. */
export function voidOnePass(group: Command): void {
  addStoreOptions(
    group
      .command("void")
      .description("void a pass for good")
      .argument("<reference>", "the pass's partner reference"),
  )
    .addHelpText("after", HELP)
    .action(voidIt);
}
