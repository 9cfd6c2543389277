import { systemClock } from "../../lib/clock.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { actorOf } from "../audit/actor.ts";
import { recordChange } from "../audit/record-change.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { isPrinted } from "../terminal/standard-output.ts";
import { shortCredentialId } from "./find-credential.ts";

const REASON = "standard output did not take the key";

/**
 * Prints the line of a new credential. A key that standard output does not take is lost, because it cannot be shown again:
 * so it is revoked, and the command fails.
 *
 * @returns whether the credential is in force.
 */
export async function showIssued(
  store: OperatorStore,
  { id, apiKey }: { readonly id: string; readonly apiKey: string | undefined },
  line: string,
): Promise<boolean> {
  if ((await isPrinted(line)) || apiKey === undefined) return true;
  process.exitCode = exitCodes.failed;
  const name = shortCredentialId(id);
  console.error(
    `The new key could not be shown: ${REASON}. Nobody has it, so ${name} is revoked. Run the command again where its output can be read.`,
  );
  try {
    const why = { revokedBy: await actorOf(store), revokedReason: REASON };
    await new CredentialRegister(store.table("Credentials")).revoke(id, systemClock(), why);
  } catch (error) {
    console.error(`${name} could not be revoked, and is in force. Revoke it: \`keys revoke ${name} --yes\`.`);
    throw error;
  }
  await recordChange(store, { command: "keys revoke", target: `key ${name}`, reason: REASON });
  return false;
}
