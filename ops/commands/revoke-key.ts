import type { Command } from "commander";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import { systemClock } from "../../lib/clock.ts";
import { findCredential, readCredentials, shortCredentialId } from "../find-credential.ts";
import { withExistingStore } from "../store.ts";
import { addStoreOptions, type StoreOptions } from "../store-options.ts";
import { instantText } from "../write-table.ts";

const HELP = `
The id is what \`keys list\` shows; its kind and the first 8 digits or more are enough where no other id begins so.
A revoked key is refused within five seconds, everywhere, and stays listed. Revoking cannot be undone.

Example:
  npm run ops -- keys revoke ramp-key#0a1b2c3d4e5f

Exit codes: 0 revoked (or revoked before), 2 there is no such key, or it could not be revoked.`;

async function revoke(given: string, options: StoreOptions): Promise<void> {
  await withExistingStore(options, async ({ client, tableName }) => {
    const register = new CredentialRegister(client, tableName("Credentials"));
    const { id, owner, revokedAt } = findCredential(await readCredentials(register), given);
    if (revokedAt !== undefined) {
      console.log(`${shortCredentialId(id)} of ${owner} was revoked before, on ${instantText(revokedAt)}.`);
      return;
    }
    await register.revoke(id, systemClock());
    console.log(`Revoked ${shortCredentialId(id)} of ${owner}. It is refused within five seconds.`);
  });
}

/** `keys revoke`: ends a key for good. */
export function revokeKey(group: Command): void {
  addStoreOptions(
    group
      .command("revoke")
      .description("revoke a key for good")
      .argument("<id>", "the key's id, or its beginning"),
  )
    .addHelpText("after", HELP)
    .action(revoke);
}
