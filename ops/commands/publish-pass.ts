import type { Command } from "commander";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { commands } from "../../local/installation.ts";
import {
  addCorrectionOptions,
  CORRECTION_HELP,
  type CorrectionOptions,
  intakeOf,
} from "../arguments/correction-options.ts";
import { readGiven } from "../arguments/read-given.ts";
import { withStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { exitCodes } from "../terminal/operator-error.ts";

const HELP = `
The file holds one pass as a JSON document. It has partner_reference, type and version, and may have template_id (stored,
never served), semantics, relevant_at, actions and triggers. The version must be higher than the stored one. Clients see
the change at their next poll.
${CORRECTION_HELP}

Examples:
  ${commands.ops} passes publish boarding-pass.json
  echo '{"partner_reference":"demo-1","type":"loyalty_pass","version":1}' | ${commands.ops} passes publish -
  ${commands.ops} passes publish right.json --correct --reason "version 99999 was a slip"

Exit codes: 0 published (or unchanged, or stale), 1 refused, 2 not published.`;

const MESSAGES: Readonly<Record<Exclude<WriteOutcome["outcome"], "refused" | "corrected">, string>> = {
  written: "Published.",
  unchanged: "Unchanged: this version is stored already.",
  stale: "Stale: the stored version stays, because it is higher or was put there by a correction.",
};

async function publish(file: string, options: StoreOptions & CorrectionOptions): Promise<void> {
  const intake = intakeOf(options);
  const text = await readGiven(file);
  const outcome = await withStore(options, ({ table }) =>
    putPass(new PassRegister(table("Passes")), text, intake),
  );
  if (outcome.outcome === "refused") {
    console.error(`Refused: ${outcome.reason}.`);
    process.exitCode = exitCodes.someRefused;
  } else if (outcome.outcome === "corrected") console.log(`Corrected: this ${outcome.replaced}.`);
  else console.log(MESSAGES[outcome.outcome]);
}

/** `passes publish`: publishes one pass, or a new version of it. */
export function publishOnePass(group: Command): void {
  addStoreOptions(
    addCorrectionOptions(
      group
        .command("publish")
        .description("publish a pass, or a new version of it")
        .argument("<file>", "the pass as JSON, or - for standard input"),
    ),
  )
    .addHelpText("after", HELP)
    .action(publish);
}
