import type { Command } from "commander";
import * as z from "zod/mini";
import { subjectId } from "../../lib/auth/credential.ts";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { systemClock } from "../../lib/clock.ts";
import { printable } from "../../lib/printable.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { commands } from "../../local/installation.ts";
import { parseSubject } from "../arguments/parse-owner-id.ts";
import { parseReason } from "../arguments/told-reason.ts";
import { unquoted } from "../arguments/unquoted.ts";
import { actorOf } from "../audit/actor.ts";
import { recordChange } from "../audit/record-change.ts";
import { readCredentialRows } from "../credentials/find-credential.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { stageTokenIssuers, withExistingStore, withStore, withStoreToLookAt } from "../store/store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";

const HELP = `
A subject is the \`sub\` of access tokens: a business, or the wallet service. Within five seconds after a block, all
tokens of the subject are refused, from every issuer that the stage trusts. Tokens that are issued later are refused as
well, until the subject is allowed again. The subject's records stay. \`subjects list\` shows who is blocked.

Examples:
  ${commands.ops} subjects block acme --reason "token leaked"
  ${commands.ops} subjects allow acme

Exit codes: 0 done, 2 not done.`;

interface Options extends StoreOptions {
  readonly reason?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const shape = z.object({
  subject: z.string(),
  isBlocked: z.boolean(),
  /** Whether this command has changed it; with --dry-run, whether it would. */
  isChanged: z.boolean(),
});

const rowsOf = (subject: string, options: StoreOptions): readonly string[] =>
  stageTokenIssuers(options).map((issuer) => subjectId(issuer, subject));

/** The rows that block a subject now, among those by which the stage could block it. */
async function blockingRows(
  store: OperatorStore,
  subject: string,
  options: StoreOptions,
): Promise<readonly CredentialRow[]> {
  const ids = rowsOf(subject, options);
  const rows = await readCredentialRows(new CredentialRegister(store.table("Credentials")));
  return rows.filter(({ id }) => ids.includes(id));
}

async function addRows(store: OperatorStore, subject: string, options: Options): Promise<void> {
  const now = systemClock();
  const row = { kind: "subject", owner: subject, scopes: [], createdAt: now, revokedAt: now } as const;
  const by = await actorOf(store);
  const notes = {
    createdBy: by,
    revokedBy: by,
    ...(options.reason !== undefined && { revokedReason: options.reason }),
  };
  const register = new CredentialRegister(store.table("Credentials"));
  // A row that is there already stays as it is: it says since when the subject has been blocked.
  for (const id of rowsOf(subject, options)) await register.add({ ...row, id }, notes);
}

async function removeRows(store: OperatorStore, subject: string, options: Options): Promise<void> {
  const register = new CredentialRegister(store.table("Credentials"));
  for (const id of rowsOf(subject, options)) await register.remove(id);
}

/** Blocks or allows a subject. Its rows are written even if they seem right: somebody may be changing them. */
async function set(subject: string, isBlocked: boolean, options: Options): Promise<void> {
  const isDry = options.dryRun === true;
  const open = isBlocked ? withStore : withExistingStore;
  await (isDry ? withStoreToLookAt : open)(options, async (store) => {
    const found = await blockingRows(store, subject, options);
    const isChanged = isBlocked ? found.length < rowsOf(subject, options).length : found.length > 0;
    if (!isDry) {
      await (isBlocked ? addRows : removeRows)(store, subject, options);
      const { reason } = options;
      const command = isBlocked ? "subjects block" : "subjects allow";
      const change = { command, target: `subject ${subject}`, ...(reason !== undefined && { reason }) };
      if (isChanged) await recordChange(store, change);
    }
    if (options.json === true) return printJson(shape, { subject, isBlocked, isChanged });
    const verb = `${isDry ? "would be" : "are"} ${isBlocked ? "refused" : "accepted"}`;
    const note = isChanged ? (isDry ? "" : " (within five seconds)") : ", as before";
    console.log(`Tokens of ${printable(subject)} ${verb}${note}.`);
  });
}

function addSubjectCommand(group: Command, name: string, summary: string, isBlocked: boolean): void {
  const command = addStoreOptions(
    group
      .command(name)
      .description(summary)
      .argument("<subject>", "the `sub` of the tokens", optionOf(parseSubject))
      .option("--reason <text>", "why, for the other operators", unquoted("--reason", parseReason))
      .option("--dry-run", "say what would change, and change nothing"),
  );
  addJsonOption(command, shape, { subject: "acme", isBlocked, isChanged: true })
    .addHelpText("after", HELP)
    .action((subject: string, options: Options) => set(subject, isBlocked, options));
}

/** `subjects block`: refuses every access token of a subject. */
export const blockSubject = (group: Command): void =>
  addSubjectCommand(group, "block", "refuse every access token of a subject", true);

/** `subjects allow`: accepts the access tokens of a blocked subject again. */
export const allowSubject = (group: Command): void =>
  addSubjectCommand(group, "allow", "accept the access tokens of a blocked subject again", false);
