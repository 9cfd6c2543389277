import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { checkPass } from "../../lib/passes/pass.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { voidPass } from "../../local/records/void-pass.ts";
import { CORRECTION_HELP, correctionTakes, intakeOf } from "../arguments/correction-options.ts";
import { readGiven } from "../arguments/read-given.ts";
import { requirePartnerReference } from "../arguments/require-partner-reference.ts";
import { defineCommand } from "../command.ts";
import { rehearsedPut } from "../import/rehearsed-put.ts";
import type { OperatorStore } from "../store/operator-store.ts";

/** What became of a pass, as JSON. `reference` is absent for a document that names no pass. */
const shape = z.object({
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

const json = { shape, example: { reference: "demo-1", outcome: "written", dryRun: false } } as const;
const dryRun = "check everything, and store nothing";

/** What is told of a pass, and recorded if it was changed. `describe` has the words where it was not refused. */
function told(
  reference: string | undefined,
  outcome: WriteOutcome,
  given: { readonly dryRun: boolean; readonly json: boolean },
  describe: (outcome: Exclude<WriteOutcome, { readonly outcome: "refused" }>) => string,
) {
  const isChanged = reference !== undefined && ["written", "corrected"].includes(outcome.outcome);
  const json = { ...(reference !== undefined && { reference }), ...outcome, dryRun: given.dryRun };
  if (outcome.outcome === "refused")
    return { json, remark: given.json ? undefined : `Refused: ${outcome.reason}.`, exitCode: 1 };
  return {
    json,
    text: `${describe(outcome)}${given.dryRun ? "\nThis was a dry run: nothing was stored." : ""}`,
    audit: isChanged ? { target: `pass ${reference}` } : undefined,
  };
}

const MESSAGES: Readonly<Record<Exclude<WriteOutcome["outcome"], "refused" | "corrected">, string>> = {
  written: "Published.",
  unchanged: "Unchanged: this version is stored already.",
  stale: "Stale: the stored version stays, because it is higher or was put there by a correction.",
};

/** `passes publish`: publishes one pass, or a new version of it. */
export const publishOnePass = defineCommand({
  words: "passes publish",
  summary: "publish a pass, or a new version of it",
  about: `
The file holds one pass as a JSON document. It has partner_reference, type and version, and may have template_id (stored,
never served), semantics, relevant_at, actions and triggers. The version must be higher than the stored one. Clients see
the change at their next poll.
${CORRECTION_HELP}`,
  examples: [
    "ops passes publish boarding-pass.json",
    `echo '{"partner_reference":"demo-1","type":"loyalty_pass","version":1}' | ops passes publish -`,
    'ops passes publish right.json --correct --reason "version 99999 was a slip"',
  ],
  exits: { 0: "published (or unchanged, or stale)", 1: "refused", 2: "not published" },
  on: "store, made if missing",
  takes: { "<file>": "the pass as JSON, or - for standard input", ...correctionTakes },
  dryRun,
  json,
  async run(given, { store: open }) {
    const intake = intakeOf(given);
    const text = await readGiven(given.file);
    const { table } = await open();
    const put = given.dryRun ? rehearsedPut() : undefined;
    const outcome = await putPass(new PassRegister(table("Passes"), put), text, intake);
    const checked = checkPass(text);
    return told(checked.ok ? checked.value.partnerReference : undefined, outcome, given, (done) =>
      done.outcome === "corrected" ? `Corrected: this ${done.replaced}.` : MESSAGES[done.outcome],
    );
  },
});

/** The outcome that voiding a pass would have. */
async function rehearseVoid({ table }: OperatorStore, reference: string): Promise<WriteOutcome> {
  const pass = await new PassStore(table("Passes")).get(reference);
  const register = { void: async () => ({ done: pass?.state === "current", stored: pass }) };
  return await voidPass(register, reference, systemClock);
}

/** `passes void`: ends a pass for good. */
export const voidOnePass = defineCommand({
  words: "passes void",
  summary: "void a pass for good",
  about: `
A void pass is answered with 410, its content is no longer stored, and its reference cannot be used again. The wallet
service stops polling it. Voiding cannot be undone, so it asks.`,
  examples: ["ops passes void demo-1", "ops passes void demo-1 --yes"],
  exits: {
    0: "void (or void before)",
    1: "there is no such pass, or it was not confirmed",
    2: "the pass could not be voided",
  },
  on: "store",
  takes: { "<reference>": "the pass's partner reference" },
  dryRun,
  asks: true,
  json,
  async run(given, { store: open, confirm }) {
    const { reference, dryRun } = given;
    requirePartnerReference(reference);
    await confirm(`Void ${reference} for good?`);
    const store = await open();
    const outcome = dryRun
      ? await rehearseVoid(store, reference)
      : await voidPass(new PassRegister(store.table("Passes")), reference, systemClock);
    return told(reference, outcome, given, (done) =>
      done.outcome === "unchanged"
        ? `${reference} was already void.`
        : `${reference} ${dryRun ? "would be" : "is"} void.`,
    );
  },
});
