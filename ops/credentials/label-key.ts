import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { printable } from "../../lib/printable.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { commands } from "../../local/installation.ts";
import { parseLabelOrNone } from "../arguments/label.ts";
import { unquoted } from "../arguments/unquoted.ts";
import { recordChange } from "../audit/record-change.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { shortCredentialId } from "./find-credential.ts";
import { findRow, lastUseOf, requireRow } from "./find-row.ts";
import { keyExample, keyOf, keyShape } from "./key-json.ts";

const HELP = `
A label tells keys of one owner apart. It is one line of 1 to 80 printable characters; an empty text takes the label away.
Every operator can read it, so nothing that looks like a key is accepted. No caller ever sees it.

Examples:
  ${commands.ops} keys label ramp-key#0a1b2c3d4e5f "payments server"
  ${commands.ops} keys label ramp-key#0a1b2c3d4e5f ""

Exit codes: 0 labelled, 2 there is no such key, or the text cannot be a label.`;

interface Options extends StoreOptions {
  readonly dryRun?: true;
  readonly json?: true;
}

async function label(given: string, text: string | undefined, options: Options): Promise<void> {
  await withExistingStore(options, async (store) => {
    const register = new CredentialRegister(store.table("Credentials"));
    const before = await findRow(register, given);
    const isChanged = options.dryRun !== true && before.notes.label !== text;
    const row = isChanged ? requireRow(await register.label(before.id, text), given) : before;
    const short = shortCredentialId(row.id);
    if (isChanged) await recordChange(store, { command: "keys label", target: `key ${short}` });
    if (options.json === true) {
      const { label: _, ...notes } = row.notes;
      const labelled = { ...row, notes: { ...notes, ...(text !== undefined && { label: text }) } };
      return printJson(keyShape, keyOf(labelled, await lastUseOf(store, row), systemClock()));
    }
    const would = options.dryRun === true ? "would be" : "is";
    console.log(
      text === undefined
        ? `${short} ${would} without a label.`
        : `${short} ${would} labelled "${printable(text)}".`,
    );
  });
}

/** `keys label`: gives a key a label, or takes it away. */
export function labelKey(group: Command): void {
  const command = addStoreOptions(
    group
      .command("label")
      .description("label a key, to tell it from others of its owner")
      .argument("<id>", "the key's id, or the beginning of its digits")
      .argument("<text>", "the label; an empty text takes it away", unquoted("<text>", parseLabelOrNone))
      .option("--dry-run", "say what would be stored, and store nothing"),
  );
  addJsonOption(command, keyShape, keyExample).addHelpText("after", HELP).action(label);
}
