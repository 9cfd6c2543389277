import type { Command } from "commander";
import { subjectId } from "../../lib/auth/credential.ts";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import { systemClock } from "../../lib/clock.ts";
import { printable } from "../../lib/printable.ts";
import { commands } from "../../local/installation.ts";
import { parseSubject } from "../arguments/parse-owner-id.ts";
import { stageTokenIssuers, withExistingStore, withStore } from "../store/store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store/store-options.ts";

const HELP = `
A subject is the \`sub\` of access tokens: a business, or the wallet service. Within five seconds after a block, all
tokens of the subject are refused, from every issuer that the stage trusts. Tokens that are issued later are refused as
well, until the subject is allowed again. The subject's records stay.

Examples:
  ${commands.ops} subjects block acme
  ${commands.ops} subjects allow acme

Exit codes: 0 done, 2 not done.`;

const rowsOf = (subject: string, options: StoreOptions): readonly string[] =>
  stageTokenIssuers(options).map((issuer) => subjectId(issuer, subject));

async function block(subject: string, options: StoreOptions): Promise<void> {
  const now = systemClock();
  const row = { kind: "subject", owner: subject, scopes: [], createdAt: now, revokedAt: now } as const;
  await withStore(options, async ({ table }) => {
    const register = new CredentialRegister(table("Credentials"));
    for (const id of rowsOf(subject, options)) await register.add({ ...row, id });
  });
  console.log(`Tokens of ${printable(subject)} are refused (within five seconds).`);
}

async function allow(subject: string, options: StoreOptions): Promise<void> {
  await withExistingStore(options, async ({ table }) => {
    const register = new CredentialRegister(table("Credentials"));
    for (const id of rowsOf(subject, options)) await register.remove(id);
  });
  console.log(`Tokens of ${printable(subject)} are accepted (within five seconds).`);
}

function addSubjectCommand(
  group: Command,
  name: string,
  summary: string,
  run: (subject: string, options: StoreOptions) => Promise<void>,
): void {
  const command = group.command(name).description(summary);
  addStoreOptions(command.argument("<subject>", "the `sub` of the tokens", optionOf(parseSubject)))
    .addHelpText("after", HELP)
    .action(run);
}

/** `subjects block`: refuses every access token of a subject. */
export const blockSubject = (group: Command): void =>
  addSubjectCommand(group, "block", "refuse every access token of a subject", block);

/** `subjects allow`: accepts the access tokens of a blocked subject again. */
export const allowSubject = (group: Command): void =>
  addSubjectCommand(group, "allow", "accept the access tokens of a blocked subject again", allow);
