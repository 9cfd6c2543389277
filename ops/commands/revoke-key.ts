import type { Command } from "commander";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { systemClock } from "../../lib/clock.ts";
import { printable } from "../../lib/printable.ts";
import { commands } from "../../local/installation.ts";
import { findCredentialId, readCredentialRows, shortCredentialId } from "../credentials/find-credential.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { OperatorError } from "../terminal/operator-error.ts";
import { instantText } from "../terminal/write-table.ts";

const HELP = `
\`keys list\` shows the ids. An id that ends in hex digits may be shortened to its kind and at least 8 digits, if no other
id begins with them. An id that ends in a name (jws#…) must be given whole.
A revoked key is refused everywhere within five seconds, and stays listed. Revoking cannot be undone.

Example:
  ${commands.ops} keys revoke ramp-key#0a1b2c3d4e5f

Exit codes: 0 revoked (or revoked before), 2 there is no such key, or it could not be revoked.`;

async function revoke(given: string, options: StoreOptions): Promise<void> {
  await withExistingStore(options, async ({ table }) => {
    const register = new CredentialRegister(table("Credentials"));
    console.log(describe(await revokeIn(register, given)));
  });
}

/** A whole id is revoked without reading the other rows, so that a row which cannot be read does not get in the way. */
async function revokeIn(register: CredentialRegister, given: string): Promise<CredentialRow> {
  const now = systemClock();
  const whole = given === "" ? undefined : await register.revoke(given, now);
  if (whole !== undefined) return whole;
  const rows = await readCredentialRows(register);
  const id = findCredentialId(
    rows.map((row) => row.id),
    given,
  );
  const found = await register.revoke(id, now);
  if (found === undefined) throw new OperatorError(`The key "${given}" was removed meanwhile.`);
  return found;
}

function describe({ id, credential }: CredentialRow): string {
  if (credential === undefined)
    return `Revoked ${id}. Its row cannot be read as a key: find out what wrote it.`;
  const whose = `${shortCredentialId(id)} of ${printable(credential.owner)}`;
  return credential.revokedAt === undefined
    ? `Revoked ${whose}. It is refused within five seconds.`
    : `${whose} was revoked before, on ${instantText(credential.revokedAt)}.`;
}

/** `keys revoke`: ends a key for good. */
export function revokeKey(group: Command): void {
  addStoreOptions(
    group
      .command("revoke")
      .description("revoke a key for good")
      .argument("<id>", "the key's id, or the beginning of its digits"),
  )
    .addHelpText("after", HELP)
    .action(revoke);
}
