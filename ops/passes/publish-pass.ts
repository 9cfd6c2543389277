import type { Command } from "commander";
import { checkPass } from "../../lib/passes/pass.ts";
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
import { dryRunOption } from "../import/import-options.ts";
import { rehearsedPut } from "../import/rehearsed-put.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withStore, withStoreToLookAt } from "../store/store.ts";
import type { StoreOptions } from "../store/store-options.ts";
import {
  addPassChangeOptions,
  type ChangedPass,
  type PassChangeOptions,
  printPass,
  recordPass,
} from "./pass-change.ts";

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

type Options = StoreOptions & CorrectionOptions & PassChangeOptions;

const messageOf = (outcome: Exclude<WriteOutcome, { readonly outcome: "refused" }>): string =>
  outcome.outcome === "corrected" ? `Corrected: this ${outcome.replaced}.` : MESSAGES[outcome.outcome];

async function publishIn(store: OperatorStore, text: string, options: Options): Promise<ChangedPass> {
  const put = options.dryRun === true ? rehearsedPut() : undefined;
  const register = new PassRegister(store.table("Passes"), put);
  const outcome = await putPass(register, text, intakeOf(options));
  const checked = checkPass(text);
  const changed = { reference: checked.ok ? checked.value.partnerReference : undefined, outcome };
  const { dryRun, reason } = options;
  await recordPass(store, changed, {
    command: "passes publish",
    ...(reason !== undefined && { reason }),
    ...(dryRun !== undefined && { dryRun }),
  });
  return changed;
}

async function publish(file: string, options: Options): Promise<void> {
  // A wrong option is refused before a store is created.
  intakeOf(options);
  const text = await readGiven(file);
  const open = options.dryRun === true ? withStoreToLookAt : withStore;
  printPass(await open(options, (store) => publishIn(store, text, options)), options, messageOf);
}

/** `passes publish`: publishes one pass, or a new version of it. */
export function publishOnePass(group: Command): void {
  const command = group
    .command("publish")
    .description("publish a pass, or a new version of it")
    .argument("<file>", "the pass as JSON, or - for standard input")
    .addOption(dryRunOption());
  addPassChangeOptions(addCorrectionOptions(command)).addHelpText("after", HELP).action(publish);
}
