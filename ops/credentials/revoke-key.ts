import type { Command } from "commander";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { systemClock } from "../../lib/clock.ts";
import { printable } from "../../lib/printable.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { parseReason } from "../arguments/told-reason.ts";
import { unquoted } from "../arguments/unquoted.ts";
import { actorOf } from "../audit/actor.ts";
import { recordChange } from "../audit/record-change.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { confirmed, yesOption } from "../terminal/ask.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { instantText } from "../terminal/write-table.ts";
import { shortCredentialId } from "./find-credential.ts";
import { findRow, lastUseOf, lastUseText, nameOfRow, requireRow } from "./find-row.ts";
import { keyExample, keyOf, keyShape } from "./key-json.ts";

const HELP = `
\`keys list\` shows the ids. An id that ends in hex digits may be shortened to its kind and at least 8 digits, if no other
id begins with them. An id that ends in a name (jws#…) must be given whole.
A revoked key is refused everywhere within five seconds, and stays listed. Revoking cannot be undone, so the command asks
first; without a terminal it needs --yes. To replace a key that is in use, see \`keys rotate\`.

Examples:
  ${commands.ops} keys revoke ramp-key#0a1b2c3d4e5f --reason "found in a log"
  ${commands.ops} keys revoke ramp-key#0a1b2c3d4e5f --dry-run

Exit codes: 0 revoked (or revoked before), 1 the answer was no, 2 there is no such key, or it could not be revoked.`;

interface Options extends StoreOptions {
  readonly reason?: string;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

const isRevoked = ({ credential }: CredentialRow): boolean => credential?.revokedAt !== undefined;

async function revoke(given: string, options: Options): Promise<void> {
  await withExistingStore(options, async (store) => {
    const register = new CredentialRegister(store.table("Credentials"));
    const row = await findRow(register, given);
    const lastUse = await lastUseOf(store, row);
    const question = `Revoke ${nameOfRow(row)}, ${lastUseText(lastUse)}, for good?`;
    const isWanted = isRevoked(row) || options.dryRun === true || (await confirmed(question, options));
    if (!isWanted) {
      console.error("Nothing was changed.");
      process.exitCode = exitCodes.someRefused;
      return;
    }
    const stays = isRevoked(row) || options.dryRun === true;
    const revoked = stays ? row : requireRow(await revokeIn(store, row, options.reason), given);
    if (options.json === true) printJson(keyShape, keyOf(revoked, lastUse, systemClock()));
    else console.log(describe(row, lastUse, options));
  });
}

async function revokeIn(
  store: OperatorStore,
  { id }: CredentialRow,
  reason: string | undefined,
): Promise<CredentialRow | undefined> {
  const why = { revokedBy: await actorOf(store), ...(reason !== undefined && { revokedReason: reason }) };
  const revoked = await new CredentialRegister(store.table("Credentials")).revoke(id, systemClock(), why);
  await recordChange(store, {
    command: "keys revoke",
    target: `key ${shortCredentialId(id)}`,
    ...(reason !== undefined && { reason }),
  });
  return revoked;
}

function describe(row: CredentialRow, lastUse: number | undefined, { dryRun }: Options): string {
  const { id, credential, notes } = row;
  const name = nameOfRow(row);
  if (credential?.revokedAt !== undefined) {
    const by = notes.revokedBy === undefined ? "" : ` by ${printable(notes.revokedBy)}`;
    return `${name} was revoked before, on ${instantText(credential.revokedAt)}${by}.`;
  }
  if (dryRun === true) return `${name}, ${lastUseText(lastUse)}, would be revoked for good.`;
  if (credential === undefined)
    return `Revoked ${id}. Its row cannot be read as a key: find out what wrote it.`;
  return `Revoked ${name}. It is refused within five seconds.`;
}

/** `keys revoke`: ends a key for good. */
export function revokeKey(group: Command): void {
  const command = addStoreOptions(
    group
      .command("revoke")
      .description("revoke a key for good")
      .argument("<id>", "the key's id, or the beginning of its digits")
      .option("--reason <text>", "why, for the other operators", unquoted("--reason", parseReason))
      .addOption(yesOption())
      .option("--dry-run", "say what would be revoked, and revoke nothing"),
  );
  addJsonOption(command, keyShape, keyExample).addHelpText("after", HELP).action(revoke);
}
