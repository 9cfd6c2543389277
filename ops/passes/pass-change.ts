import type { Command } from "commander";
import * as z from "zod/mini";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { type Change, recordChange } from "../audit/record-change.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { addStoreOptions } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";

/** What became of a pass, as JSON. `reference` is absent for a document that names no pass. */
const passChange = z.object({
  reference: z.optional(z.string()),
  outcome: z.enum(["written", "corrected", "unchanged", "stale", "refused"]),
  dryRun: z.boolean(),
  /** The steps that passes do not usually take. */
  unusual: z.optional(z.string()),
  /** Why it was refused. */
  reason: z.optional(z.string()),
  /** The version that a correction replaced. */
  replaced: z.optional(z.string()),
});

/** What became of a pass. */
export interface ChangedPass {
  readonly reference: string | undefined;
  readonly outcome: WriteOutcome;
}

/** The options of commands that change one pass. */
export interface PassChangeOptions {
  readonly dryRun?: true;
  readonly json?: true;
}

/** Adds the options of the store to a command, and --json for what became of the pass. */
export const addPassChangeOptions = (command: Command): Command =>
  addJsonOption(addStoreOptions(command), passChange, {
    reference: "demo-1",
    outcome: "written",
    dryRun: false,
  });

/** Writes the audit's line of a pass that was changed; of a dry run, or where all stayed as it was, none. */
export async function recordPass(
  store: OperatorStore,
  { reference, outcome: { outcome } }: ChangedPass,
  { dryRun, ...change }: Pick<Change, "command" | "reason"> & PassChangeOptions,
): Promise<void> {
  if (dryRun === true || reference === undefined || !["written", "corrected"].includes(outcome)) return;
  await recordChange(store, { ...change, target: `pass ${reference}` });
}

/** Prints what became of a pass, and sets the exit code. `describe` is the line for people, where it was not refused. */
export function printPass(
  { reference, outcome }: ChangedPass,
  { dryRun = false, json }: { readonly dryRun?: boolean; readonly json?: boolean },
  describe: (outcome: Exclude<WriteOutcome, { readonly outcome: "refused" }>) => string,
): void {
  if (outcome.outcome === "refused") process.exitCode = exitCodes.someRefused;
  if (json === true)
    printJson(passChange, { ...(reference !== undefined && { reference }), ...outcome, dryRun });
  else if (outcome.outcome === "refused") console.error(`Refused: ${outcome.reason}.`);
  else console.log(`${describe(outcome)}${dryRun ? "\nThis was a dry run: nothing was stored." : ""}`);
}
