import type { Command } from "commander";
import * as z from "zod/mini";
import { readCorrections } from "../../lib/corrections.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { entityTag } from "../../lib/passes/entity-tag.ts";
import type { StoredPass } from "../../lib/passes/pass.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { requirePartnerReference } from "../arguments/require-partner-reference.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption, jsonTime, printJson, RawJson, rawJson } from "../terminal/json-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { instantText } from "../terminal/write-table.ts";

const HELP = `
Prints the pass's state, version, template id, tag in each contract version and corrections, then the text that is served,
character by character.

Example:
  ${commands.ops} passes show demo-1

Exit codes: 0 shown, 1 there is no such pass, 2 not shown.`;

const shape = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("current"),
    version: z.number(),
    templateId: z.nullable(z.string()),
    tags: z.record(z.string(), z.string()),
    corrections: z.optional(z.array(z.unknown())),
    pass: rawJson,
  }),
  z.object({ state: z.literal("void"), goneAt: jsonTime }),
]);

interface Options extends StoreOptions {
  readonly json?: true;
}

function describe(pass: StoredPass) {
  if (pass.state === "void") return { state: pass.state, goneAt: instantText(pass.goneAt) } as const;
  const tags = Object.fromEntries(
    passContractVersions.map((version) => [version, entityTag(version, pass.text)]),
  );
  const corrections = readCorrections(pass.corrections);
  const trace = corrections.length > 0 && { corrections };
  const { state, version, templateId = null } = pass;
  // The served text is kept as it is: parsing it would lose digits.
  return { state, version, templateId, tags, ...trace, pass: new RawJson(pass.text) } as const;
}

function print(pass: StoredPass, asJson: boolean): void {
  const known = describe(pass);
  if (asJson) {
    printJson(shape, known);
    return;
  }
  for (const [name, value] of Object.entries(known))
    if (!(value instanceof RawJson))
      console.log(`${name.padEnd(12)}${typeof value === "string" ? value : JSON.stringify(value)}`);
  if (pass.state === "current") console.log(pass.text);
}

async function show(reference: string, options: Options): Promise<void> {
  requirePartnerReference(reference);
  const pass = await withExistingStore(options, ({ table }) => new PassStore(table("Passes")).get(reference));
  if (pass !== undefined) {
    print(pass, options.json === true);
    return;
  }
  console.error(`There is no pass ${terminalText(reference)}.`);
  process.exitCode = exitCodes.someRefused;
}

/** `passes show`: prints a stored pass. */
export function showPass(group: Command): void {
  const command = group
    .command("show")
    .description("show a stored pass")
    .argument("<reference>", "the pass's partner reference");
  addJsonOption(addStoreOptions(command), shape, { state: "void", goneAt: "2026-11-29T00:30:00.000Z" })
    .addHelpText("after", HELP)
    .action(show);
}
