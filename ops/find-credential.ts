import type { Credential } from "../lib/auth/credential.ts";
import type { CredentialRegister } from "../lib/auth/credential-register.ts";
import { OperatorError } from "./operator-error.ts";

/** Digits of a hash that are shown, and the fewest that name a key: none is revoked by a slip of the keyboard. */
const SHOWN_DIGITS = 12;
const DIGITS_MIN = 8;

const HASH_ID = /^([a-z-]+#)([0-9a-f]{64})$/;

/** An id as lists show it: a hash is cut to its first digits, any other id stands whole. */
export const shortCredentialId = (id: string): string =>
  id.replace(HASH_ID, (_, kind: string, hash: string) => kind + hash.slice(0, SHOWN_DIGITS));

/**
 * The one credential whose id is, or begins with, what the operator gave.
 *
 * @throws {OperatorError} when there is none, more than one, or too little was given to be sure.
 */
export function findCredential(credentials: readonly Credential[], given: string): Credential {
  const whole = credentials.find(({ id }) => id === given);
  if (whole !== undefined) return whole;
  if ((given.split("#")[1] ?? "").length < DIGITS_MIN) {
    const rule = `the kind, #, and at least ${DIGITS_MIN} digits, as in ramp-key#0a1b2c3d`;
    throw new OperatorError(
      `"${given}" is too short to name a key: give ${rule}. \`keys list\` shows the ids.`,
    );
  }
  const found = credentials.filter(({ id }) => id.startsWith(given));
  if (found.length > 1)
    throw new OperatorError(`"${given}" begins ${found.length} ids. Give more digits of it.`);
  const [only] = found;
  if (only === undefined) throw new OperatorError(`There is no key "${given}". \`keys list\` shows the ids.`);
  return only;
}

/** Every credential of a store. */
export async function readCredentials(register: CredentialRegister): Promise<Credential[]> {
  const credentials: Credential[] = [];
  for await (const credential of register.list()) credentials.push(credential);
  return credentials;
}
