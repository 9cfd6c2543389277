import type { Command } from "commander";
import { readCorrections } from "../../lib/corrections.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { entityTag } from "../../lib/passes/entity-tag.ts";
import type { StoredPass } from "../../lib/passes/pass.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { commands } from "../../local/installation.ts";
import { requirePartnerReference } from "../arguments/require-partner-reference.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { exitCodes } from "../terminal/operator-error.ts";
import { instantText } from "../terminal/write-table.ts";

const HELP = `
Prints the pass's state, version, template id, tag in each contract version and corrections, then the text that is served,
character by character. With --json, standard output is one JSON object: state, version, templateId, tags, corrections (if
there are any) and pass; for a void pass, state and goneAt.

Example:
  ${commands.ops} passes show demo-1

Exit codes: 0 shown, 1 there is no such pass, 2 not shown.`;

interface Options extends StoreOptions {
  readonly json?: true;
}

function describe(pass: StoredPass): Readonly<Record<string, unknown>> {
  if (pass.state === "void") return { state: pass.state, goneAt: instantText(pass.goneAt) };
  const tags = Object.fromEntries(
    passContractVersions.map((version) => [version, entityTag(version, pass.text)]),
  );
  const corrections = readCorrections(pass.corrections);
  const trace = corrections.length > 0 && { corrections };
  return { state: pass.state, version: pass.version, templateId: pass.templateId ?? null, tags, ...trace };
}

function print(pass: StoredPass, asJson: boolean): void {
  const served = pass.state === "current" ? pass.text : undefined;
  const known = describe(pass);
  if (asJson) {
    // The served text is inserted as it is: parsing it would lose digits.
    const text = JSON.stringify(known);
    console.log(served === undefined ? text : `${text.slice(0, -1)},"pass":${served}}`);
    return;
  }
  for (const [name, value] of Object.entries(known)) {
    console.log(`${name.padEnd(12)}${typeof value === "string" ? value : JSON.stringify(value)}`);
  }
  if (served !== undefined) console.log(served);
}

async function show(reference: string, options: Options): Promise<void> {
  requirePartnerReference(reference);
  const pass = await withExistingStore(options, ({ table }) => new PassStore(table("Passes")).get(reference));
  if (pass !== undefined) {
    print(pass, options.json === true);
    return;
  }
  console.error(`There is no pass ${reference}.`);
  process.exitCode = exitCodes.someRefused;
}

/** `passes show`: prints a stored pass. */
export function showPass(group: Command): void {
  addStoreOptions(
    group
      .command("show")
      .description("show a stored pass")
      .argument("<reference>", "the pass's partner reference")
      .option("--json", "print one JSON object, for programs"),
  )
    .addHelpText("after", HELP)
    .action(show);
}
